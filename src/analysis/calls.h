// Which procedures each call and each thread_create may start, indirect ones by points-to; which edges lie on circles.
#ifndef LOCKSTEP_CALLS_H
#define LOCKSTEP_CALLS_H

#include "analysis/pointsto.h"

typedef struct calls calls;
typedef struct calls_list {
  bool anything;            // points-to does not know; all procedures are listed then
  uint32_t count;
  const ir_proc *procs;     // [0..count[, each once; owned by the analysis
} calls_list;

calls *calls_new (const ir_program *, const pointsto *);
void calls_free (calls *);

calls_list calls_of (const calls *, ir_edge);            // of a CALL or THREAD_CREATE; of others none
bool calls_starts_thread (const calls *, ir_proc);       // some THREAD_CREATE may start it

// Callees before callers, except in recursion: of two procedures that do not call each other in a circle, the one that may call the
// other, directly or not, has the larger number.  Equal numbers: they call each other.
uint32_t calls_rank (const calls *, ir_proc);
const ir_proc *calls_order (const calls *);              // all procedures, by rank
bool calls_recursive (const calls *, ir_proc);           // an activation may begin while another of the same thread is running

// May the edge be taken twice in one activation of its procedure?
bool calls_repeats (const calls *, ir_edge);

#endif
