// Which accesses touch memory that only the running thread can reach: thread-locals and stack objects whose addresses do not get
// around, and objects that were made by this thread and not yet handed to others.
//
//   escape *x = escape_new (program, pointsto);
//   if (escape_private (x, e, 0)) ...   // no other thread can stand before an access of the same memory
//   escape_free (x);
//
// "Private" and "not shared" are certain for every execution; the opposite is not.  Taken for granted: what pointsto.h takes for
// granted.  And: where points-to gives up (pointsto_set.anything), an address that was guessed may hit private memory too.  So
// who excludes a pair of accesses because one of them is private should not do so if the other may touch anything.
#ifndef LOCKSTEP_ESCAPE_H
#define LOCKSTEP_ESCAPE_H

#include "analysis/pointsto.h"

typedef struct escape escape;

escape *escape_new (const ir_program *, const pointsto *);  // both should live as long as the result
void escape_free (escape *);

// May an instance of this abstract object ever be reached by a thread other than the one that made it?
bool escape_shared (const escape *, uint32_t object);

// When a thread stands before this edge: does argument k surely point into memory that no other thread can reach at that moment (or
// into none)?  True of globals too where no thread can have been created yet.
bool escape_private (const escape *, ir_edge, unsigned k);

#endif
