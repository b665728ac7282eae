// Unrolls loops that start threads or make objects, where the iterations can be counted: each iteration then has a
// thread of its own, with a known argument, instead of one of several.
#ifndef LOCKSTEP_ROUNDS_H
#define LOCKSTEP_ROUNDS_H

#include "base/limits.h"
#include "efsm/efsm.h"

typedef struct efsm_made { uint32_t copy; ir_edge edge; uint32_t times; /* at most; 0: not known */ } efsm_made;
typedef VEC (efsm_made) efsm_made_list;

// A loop stays as it was if it may have more than LIMIT_MACHINE_ROUNDS iterations as far as the thread's own variables
// show, has several entries, or calls a procedure. `made`: the creations and allocations in loops, with their numbers
// of executions. Entries that the list already has are not counted again; if the number of such an entry is unknown,
// its loop stays.
void efsm_lay_out_rounds (efsm *, const ir_program *, efsm_made_list *made);
#endif
