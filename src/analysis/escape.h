// Escape analysis: which accesses use memory that only the running thread can reach (thread-locals and stack objects
// whose addresses do not escape, and objects that this thread has created and not yet passed to others).
//
//   escape *x = escape_new (program, pointsto);
//   if (escape_private (x, e, 0)) ...   // no other thread can access the same memory at this moment
//   escape_free (x);
//
// "Private" and "not shared" hold for every execution; the opposite answers are only possible. The assumptions are
// those of pointsto.h. In addition: where points-to gives up (pointsto_set.anything), a guessed address may hit private
// memory, too. So a client that excludes a pair of accesses because one of them is private must not do so if the other
// may access anything.
#ifndef LOCKSTEP_ESCAPE_H
#define LOCKSTEP_ESCAPE_H

#include "analysis/pointsto.h"

typedef struct escape escape;

escape *escape_new (const ir_program *, const pointsto *);  // program and points-to must live as long as the result
void escape_free (escape *);

// Returns whether an instance of this abstract object may ever be reached by a thread other than its creator.
bool escape_shared (const escape *, uint32_t object);

// Returns whether argument k of the edge, when a thread is at the edge, certainly points into memory that no other
// thread can reach at that moment (or into none). Also true of globals as long as no thread can have been created.
bool escape_private (const escape *, ir_edge, unsigned k);

#endif
