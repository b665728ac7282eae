// What addresses a value may hold, read off its term: constants name objects, a variable may hold what was ever put
// into it.  An access of the address is taken apart into targets: objects with offsets, each under a condition.  Taken
// for granted, as in analysis/pointsto.h: arithmetic does not lead from one object into another.
//
//   pointers p;
//   pointers_init (&p, program);
//   p.is_object = my_objects, p.context = me;
//   pointers_begin (&p, &terms);
//   targets t = {0};
//   pointers_targets (&p, address, &t);
//   pointers_release_targets (&t);
#ifndef LOCKSTEP_SYMBOLIC_POINTERS_H
#define LOCKSTEP_SYMBOLIC_POINTERS_H

#include "base/idset.h"
#include "encode/term.h"

enum { ANY_OBJECT = UINT32_MAX };

// Numbers that are the rest plus a multiple of the stride, as long as no arithmetic wraps around; stride 0: the rest
// itself, 1: any.
typedef struct steps { uint32_t stride, rest; } steps;
typedef struct address { uint32_t object; steps offset; } address;  // ANY_OBJECT: an input, it may be anything

typedef struct pointers {
  const ir_program *program;
  term_pool *terms;
  idsets sets;                 // of numbers of addresses
  VEC (address) addresses;
  map number_of;               // of an address
  bool (*is_object) (const void *context, uint32_t number);
  const void *context;         // of is_object
  uint32_t exact_below;        // an offset that is a constant counts as any offset from here on
  bool no_strides;             // an offset is a constant or any
  map of_variable;             // term of a variable -> set; a variable that is not here is an input
  map of_term;                 // remembered
} pointers;

void pointers_init (pointers *, const ir_program *);
void pointers_release (pointers *);
void pointers_begin (pointers *, term_pool *);  // other terms: forgets about those before, not about addresses
uint32_t pointers_single (pointers *, address); // the set of this one
uint32_t pointers_in (pointers *, term);        // set of addresses the value may hold
term pointers_to (const pointers *, uint32_t object, uint32_t offset);
uint32_t common_divisor (uint32_t, uint32_t);   // the greatest one; of 0 and a number: that number

typedef struct target { term condition; uint32_t object; term offset /* 32 bits */; steps steps; } target;
static inline target target_at (term condition, uint32_t object, term offset) {
  return (target){.condition = condition, .object = object, .offset = offset};
}
// wild: the address may come from an input; crowded: what it may be is too much to list if this holds.
typedef struct targets { VEC (target) list; bool wild; term crowded; } targets;
void pointers_targets (pointers *, term address, targets *out);  // fills an empty list
void pointers_release_targets (targets *);

#endif
