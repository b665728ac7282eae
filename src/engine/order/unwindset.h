// How often single loops and functions are unwound, instead of what --unwind says: the list of --unwindset.
//
//   count:7:3      the loop of `count` at line 7 goes back to its head at most 3 times
// count:5        the same for all loops of `count` that no entry names by line; and at most 1 + 5 activations of
// `count` are nested
//
// The line of a loop is that of the first operation in it.
#ifndef LOCKSTEP_ORDER_UNWINDSET_H
#define LOCKSTEP_ORDER_UNWINDSET_H

#include "base/strbuf.h"
#include "engine/order/loops.h"

#define UNWIND_FREELY UINT32_MAX                 // the loop is not in the list

typedef struct unwindset {
  VEC (uint32_t) loop;         // by location: if it is the head of a loop, how often control may go back to it
  VEC (uint32_t) recursion;    // by procedure
} unwindset;

// NULL as the text is the empty list. False: *why says what is wrong with the list, and which loops there are.
bool unwindset_init (unwindset *, loop_nesting *, const char *text, strbuf *why);
void unwindset_release (unwindset *);            // also needed after false

#endif
