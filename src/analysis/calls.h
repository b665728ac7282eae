// The procedures that each call and each thread_create may start (indirect ones by points-to), and the edges that lie
// on cycles.
#ifndef LOCKSTEP_CALLS_H
#define LOCKSTEP_CALLS_H

#include "analysis/pointsto.h"

typedef struct calls calls;
typedef struct calls_list {
  bool anything;            // points-to gave up: all procedures are listed
  uint32_t count;
  const ir_proc *procs;     // [0..count[, each once; owned by the analysis
} calls_list;

calls *calls_new (const ir_program *, const pointsto *);
void calls_free (calls *);

calls_list calls_of (const calls *, ir_edge);            // of a CALL or THREAD_CREATE; of other edges the empty list
bool calls_starts_thread (const calls *, ir_proc);       // returns whether some THREAD_CREATE may start it

// Ranks put callees before callers, except in recursion: of two procedures that do not call each other in a cycle, the
// one that may call the other, directly or not, has the larger rank. Equal ranks: they call each other.
uint32_t calls_rank (const calls *, ir_proc);
const ir_proc *calls_order (const calls *);              // all procedures, by rank
// Returns whether an activation may begin while another one of the same thread is running
bool calls_recursive (const calls *, ir_proc);

// Returns whether the edge may be taken twice in one activation of its procedure.
bool calls_repeats (const calls *, ir_edge);

#endif
