// How often single loops and functions are unwound, whatever --unwind says: the list of --unwindset.
//
//   count:7:3      the loop of `count` at line 7 goes back to its head at most 3 times
//   count:5        so do all loops of `count` that are not named by their lines; and it runs at most 1 + 5 times inside of itself
//
// A loop is at the line of the first thing that is done in it.
#ifndef LOCKSTEP_ORDER_UNWINDSET_H
#define LOCKSTEP_ORDER_UNWINDSET_H

#include "base/strbuf.h"
#include "engine/order/loops.h"

#define UNWIND_FREELY UINT32_MAX                 // it is not in the list

typedef struct unwindset {
  VEC (uint32_t) loop;         // by location: if it is the head of a loop, how often that goes back to it
  VEC (uint32_t) recursion;    // by procedure
} unwindset;

// NULL as the text is the empty list.  False: *why says what is wrong with it, and which loops there are.
bool unwindset_init (unwindset *, loops *, const char *text, strbuf *why);
void unwindset_release (unwindset *);            // needed after false, too

#endif
