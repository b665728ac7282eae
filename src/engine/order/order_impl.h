// What the files of the engine itself share: order_search.c (unwinding, conclusion), questions.c and search_progress.c.
#ifndef LOCKSTEP_ORDER_IMPL_H
#define LOCKSTEP_ORDER_IMPL_H

#include "encode/decider.h"
#include "engine/engine.h"
#include "engine/order/loops.h"
#include "engine/order/unwindset.h"
#include "engine/order/unwound.h"

typedef struct order_search {
  engine_run *run;
  budget budget;        // the run's, but whoever asks it shows progress
  const decider *decider;  // while questions are asked
  uint32_t open;        // goals that are asked for
  loops loops;
  unwindset unwindset;
  uint32_t unwind;
  uint32_t bugs;
  uint64_t rounds, clauses, events, nodes, calls, variables, sat_clauses, walks;
  const reason *stopped, *doubt, *bound;
  bool answered;        // every question about bugs and doubts of the last round was, with no, and none was left out
  completion evidence;  // ... of that
  bool cut, cut_for_good;  // an execution was perhaps cut off where more rounds would help, or would not
  bool few_contexts;    // executions with more context switches were left out
  bool complete;        // all questions were answered with no, and nothing was cut off
  map found;            // what is not asked for again: property and edge, or two edges of a race
  bool deadlock_found;  // one is enough
} order_search;

void order_begin_progress (order_search *);                     // fills `budget`
const reason *order_search_spent (const order_search *);  // why its time is over; NULL: it is not
// Asks for everything that may go wrong in the unwound program, reports it, and sets answered, cut, cut_for_good, few_contexts, doubt, stopped.
void questions_ask (order_search *, const unwound *, term_pool *);

#endif
