// Threads that may go first alone: paper BOOL, section 3.4.  In reading order: accesses.h, futures.h, reduce.c, alone.h.
//
// The paper compares what the threads access in their next steps.  That is not enough: in `x := 1` beside `skip; assert (!x)` the steps `x := 1` and `skip` have nothing in
// common, but after `x := 1` the assertion always fails, and before it never.  What counts is what the others can access until the thread has moved:
//
// - A thread may go alone if its step shares no variable (that one of them writes) with anything that others can do before it moves.
// - Others come to no access behind an assume that does not hold in any of the states, unless one of them (not the thread that goes first) can write what the assume
//   waits for before that: then nobody opens it.  So while one thread holds a lock, what the others do behind taking it does not count, and the one that has it may go on to its end.
//   The same holds for the next step of a thread, whose condition may also speak of its locals.
// - The thread must be able to move in all states: who cannot move must not keep others from it.  An assertion that may fail counts as a step that is not
//   possible everywhere.
// - Beginning a region is never done alone: it keeps others out, perhaps for ever.  Starting a thread is, if the limit of threads cannot be met.
//
// Why that is enough: take an execution to a failing assertion.  If the thread moves in it, all steps before are independent of its step, which can be taken first then; if
// it does not, its step can be put in front.  Either way the others' steps, and their assertions, find the same values.
//
// What is possible is a question to a solver: alone.h.  It has the same answer however it is asked.
#ifndef LOCKSTEP_BOOLEAN_REDUCE_H
#define LOCKSTEP_BOOLEAN_REDUCE_H

#include "engine/boolean/search.h"

typedef struct reduction reduction;
reduction *reduction_new (search *);
void reduction_free (reduction *);
// In this state: a thread whose steps are all that has to be looked at; another one each time.  BP_NONE: there is no more.
void reduction_open (reduction *, const sym_state *);
uint32_t reduction_next (reduction *);
typedef struct reduction_counts { uint64_t chosen /* states */, by_solver, questions, decisions, conflicts; } reduction_counts;
reduction_counts reduction_statistics (const reduction *);

#endif
