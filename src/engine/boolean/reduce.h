// Threads that may go first alone: paper BOOL, section 3.4.  In reading order: reduce.c, alone.h.
//
// The paper compares what the threads access in their next steps.  That is not enough: in `x := 1` beside `skip; assert (!x)` the steps `x := 1` and `skip` have nothing in
// common, but after `x := 1` the assertion always fails, and before it never.  What counts is what the others can access until the thread has moved:
//
// - A thread may go alone if its step shares no variable (that one of them writes) with anything that threads can do which can move before it does.
// - Those are the threads that are enabled in some state, and those that they may enable: whose condition they may write.  The others are stuck until then.
// - The thread must be able to move in all states: who cannot move must not keep others from it.  An assertion that may fail counts as a step that is not
//   possible everywhere.
// - Beginning a region and starting a thread are never done alone: the one keeps others out, perhaps for ever, the other may meet the limit of threads.
//
// Enabled or not is a question to a solver: alone.h.  It has the same answer however it is asked.
#ifndef LOCKSTEP_BOOLEAN_REDUCE_H
#define LOCKSTEP_BOOLEAN_REDUCE_H

#include "engine/boolean/search.h"

typedef struct reduction reduction;
reduction *reduction_new (search *);
void reduction_free (reduction *);
// The thread whose steps are all that has to be looked at in this state; BP_NONE: all threads.
uint32_t reduction_choose (reduction *, const sym_state *);
typedef struct reduction_counts { uint64_t chosen, by_solver, questions, decisions, conflicts; } reduction_counts;
reduction_counts reduction_statistics (const reduction *);

#endif
