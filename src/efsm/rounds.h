// Loops that start threads or make objects, laid out round after round where the rounds can be counted: each round then has its own thread, with
// an argument that is known, instead of one of several.
#ifndef LOCKSTEP_ROUNDS_H
#define LOCKSTEP_ROUNDS_H

#include "base/limits.h"
#include "efsm/efsm.h"

typedef struct efsm_made { uint32_t copy; ir_edge edge; uint32_t times; /* at most; 0: not known */ } efsm_made;
typedef VEC (efsm_made) efsm_made_list;

// A loop stays as it was if it may have more than LIMIT_MACHINE_ROUNDS rounds as far as the thread's own variables tell, has several entries, or calls a procedure.
// `made`: what was in loops, and how often it is executed.  What is in the list already is not counted again, and if its number is not known its loop stays.
void efsm_lay_out_rounds (efsm *, const ir_program *, efsm_made_list *made);
#endif
