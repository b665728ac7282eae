// Which threads a program may have, and which of their steps may happen in parallel, judged by creation and joining alone.
//
//   threads *t = threads_new (program, pointsto);
//   if (threads_parallel (t, a, la, b, lb)) ...   // two accesses may meet, as far as creation and joining tell
//   threads_free (t);
//
// A *kind* stands for all threads started by one thread_create edge, by threads of one kind, with one entry procedure.  Kind 0
// is the thread that runs program->start.  "May not" is certain, for every execution of the program; "may" is not.
//
// Taken for granted: what pointsto.h takes for granted, and that operations on locks, condition variables, semaphores and
// barriers do not overwrite what was stored by other means (neither a thread's handle nor a counter lies inside such an object).
#ifndef LOCKSTEP_THREADS_H
#define LOCKSTEP_THREADS_H

#include "analysis/pointsto.h"
#include "ir/ir.h"

typedef struct threads threads;

threads *threads_new (const ir_program *, const pointsto *);  // both should live as long as the result
void threads_free (threads *);

uint32_t threads_count (const threads *);                    // kinds
ir_proc threads_entry (const threads *, uint32_t kind);      // of kind 0: program->start
ir_edge threads_creator (const threads *, uint32_t kind);    // the thread_create edge; of kind 0: IR_NONE
uint32_t threads_parent (const threads *, uint32_t kind);    // the kind that creates it; IR_NONE: kind 0, or not told apart
bool threads_many (const threads *, uint32_t kind);          // may two threads of this kind be alive at once?

// May a thread of this kind be at this location?  Decided by calls alone, indirect ones by points-to.
bool threads_runs (const threads *, uint32_t kind, ir_loc);

// May a thread of kind a stand before an edge from la while another thread, of kind b, stands before one from lb?
bool threads_parallel (const threads *, uint32_t a, ir_loc la, uint32_t b, ir_loc lb);

// A loop that joins, one by one, all the threads that another loop has created.  Both count alike, and the thread that was created at a value of the one counter
// is joined at the same value of the other.
typedef struct threads_round {
  ir_proc creator, joiner;     // the procedures of the loops
  ir_reg created, joined;      // the counters
  ir_edge begin, step;         // of the joining loop: the counter is set, and increased
  ir_edge link, pointer;       // the thread's handle lies in an object whose address `link` stored in an array, from where `pointer` loads it; else IR_NONE
} threads_round;

// Kind 0, when it is there, has joined the thread that was created by `create` at the value that the joining counter has now; in the meantime no others were, and the array of
// handles, or of pointers to them, has not changed.
bool threads_joined_in_round (const threads *, ir_edge create, ir_loc, threads_round *out);

// Nobody else can be alive while a thread of this kind is there.
bool threads_alone (const threads *, uint32_t kind, ir_loc);

#endif
