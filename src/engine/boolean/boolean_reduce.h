// Chooses a thread that may be the only one that steps in a state: paper BOOL, section 3.4. In reading order:
// accesses.h, futures.h, boolean_reduce.c, independence_query.h.
//
// The paper compares what the threads access in their next steps. That is not enough: with `x := 1` in one thread and
// `skip; assert (!x)` in another the steps `x := 1` and `skip` have nothing in common, but after `x := 1` the assertion
// always fails, and before it never. What counts is what the others can access until the thread has moved:
//
// - A thread may step alone if its step shares no variable (that one of them writes) with anything that others can do
//   before it moves.
// - Others reach no access after an assume that is false in all of the states, unless one of them (not the candidate)
//   can write what the assume waits for before that: then no thread makes it true. So while one thread holds a lock,
//   what the others do after acquiring it does not count, and the holder may go on to its end. The same holds for the
//   next step of a thread, whose condition may also contain its locals.
// - The thread must be able to move in all states: a thread that cannot move must not keep others from it. An assertion
//   that may fail counts as a step that is not possible everywhere.
// - Beginning an atomic region is never done alone: it excludes other threads, perhaps for ever. Starting a thread is,
//   if the limit of threads cannot be reached.
//
// Why this is enough: take an execution to a failing assertion. If the thread moves in it, all steps before are
// independent of its step, which can be taken first; if it does not, its step can be put in front. Either way the steps
// of the others, and their assertions, have the same values.
//
// A solver decides what is possible: independence_query.h. The answer does not depend on the form of the query.
#ifndef LOCKSTEP_BOOLEAN_REDUCE_H
#define LOCKSTEP_BOOLEAN_REDUCE_H

#include "engine/boolean/symbolic_search.h"

typedef struct reduction reduction;
reduction *reduction_new (symbolic_search *);
void reduction_free (reduction *);
// Returns a thread whose steps are enough in this state; another one each time. BP_NONE: there is no more.
void reduction_open (reduction *, const sym_state *);
uint32_t reduction_next (reduction *);
typedef struct boolean_reduction_counts {
  uint64_t chosen /* states */, by_solver, questions, decisions, conflicts;
} boolean_reduction_counts;
boolean_reduction_counts reduction_statistics (const reduction *);

#endif
