// The threads that a program may have, and which of their steps may happen in parallel, judged by creation and joining
// alone (may-happen-in-parallel).
//
//   threads *t = threads_new (program, pointsto);
//   if (threads_parallel (t, a, la, b, lb)) ...   // two accesses may be next at the same time
//   threads_free (t);
//
// A *kind* stands for all threads started by one thread_create edge, by threads of one kind, with one entry procedure.
// Kind 0 is the thread that runs program->start. "May not" holds for every execution of the program; "may" is only
// possible.
//
// The assumptions are those of pointsto.h, and that operations on locks, condition variables, semaphores and barriers
// do not overwrite values stored by other means (neither a thread's handle nor a counter lies inside such an object).
#ifndef LOCKSTEP_THREADS_H
#define LOCKSTEP_THREADS_H

#include "analysis/pointsto.h"
#include "ir/ir.h"

typedef struct threads threads;

threads *threads_new (const ir_program *, const pointsto *);  // program and points-to must live as long as the result
void threads_free (threads *);

uint32_t threads_count (const threads *);                    // number of kinds
ir_proc threads_entry (const threads *, uint32_t kind);      // of kind 0: program->start
ir_edge threads_creator (const threads *, uint32_t kind);    // the thread_create edge; of kind 0: IR_NONE
// The kind that creates it; IR_NONE: kind 0, or not distinguished
uint32_t threads_parent (const threads *, uint32_t kind);
bool threads_many (const threads *, uint32_t kind);  // returns whether two threads of this kind may be alive at once

// Returns whether a thread of this kind may be at this location; decided by calls alone, indirect ones by points-to.
bool threads_runs (const threads *, uint32_t kind, ir_loc);

// Returns whether a thread of kind a may be at location la while another thread, of kind b, is at lb.
bool threads_parallel (const threads *, uint32_t a, ir_loc la, uint32_t b, ir_loc lb);

// A loop that joins, one by one, all threads that another loop has created. Both count in the same way, and the thread
// created at a value of one counter is joined at the same value of the other.
typedef struct threads_round {
  ir_proc creator, joiner;     // the procedures of the loops
  ir_reg created, joined;      // the counters
  ir_edge begin, step;         // joining loop: the counter is set, and increased
  // if an array holds pointers to objects with the handles: `link` stores such a pointer, `pointer` loads it; otherwise
  // IR_NONE
  ir_edge link, pointer;
} threads_round;

// Returns whether kind 0, at this location, has joined the thread that `create` created at the present value of the
// joining counter. No other threads were created in the meantime, and the array of handles, or of pointers to them, has
// not changed.
bool threads_joined_in_round (const threads *, ir_edge create, ir_loc, threads_round *out);

// Returns whether no other thread can be alive while a thread of this kind is at this location.
bool threads_alone (const threads *, uint32_t kind, ir_loc);

#endif
