// What addresses a value may hold, read off its term: constants name objects, a variable may hold what was ever put into it.  Taken for granted, as in
// analysis/pointsto.h: arithmetic does not lead from one object into another.
#ifndef LOCKSTEP_EFSM_POINTERS_H
#define LOCKSTEP_EFSM_POINTERS_H

#include "base/idset.h"
#include "encode/term.h"

enum { ANY_OBJECT = UINT32_MAX };

// Numbers that are the rest plus a multiple of the stride, as long as no arithmetic wraps around; stride 0: the rest itself, 1: any.
typedef struct steps { uint32_t stride, rest; } steps;
typedef struct address { uint32_t object; steps offset; } address;  // ANY_OBJECT: an input, it may be anything

typedef struct pointers {
  const ir_program *program;
  term_pool *terms;
  idsets sets;                 // of numbers of addresses
  VEC (address) addresses;
  map number_of;               // of an address
  uint32_t num_objects;        // larger numbers are no objects
  map of_variable;             // term of a variable -> set; a variable that is not here is an input
  map of_term;                 // remembered
} pointers;

void pointers_init (pointers *, const ir_program *);
void pointers_release (pointers *);
void pointers_begin (pointers *, term_pool *);  // other terms: forgets about those before, not about addresses
uint32_t pointers_single (pointers *, address); // the set of this one
uint32_t pointers_in (pointers *, term);        // set of addresses the value may hold
term pointers_to (const pointers *, uint32_t object, uint32_t offset);

typedef struct target { term condition; uint32_t object; term offset /* 32 bits */; steps steps; } target;
typedef struct targets { VEC (target) list; bool wild /* may come from an input */, crowded /* too many to list */; } targets;
void pointers_targets (pointers *, term address, targets *out);  // fills an empty list
void pointers_release_targets (targets *);

#endif
