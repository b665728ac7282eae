// What the files of the engine itself share: order_search.c (unwinding, conclusion), order_queries.c and
// search_progress.c.
#ifndef LOCKSTEP_ORDER_IMPL_H
#define LOCKSTEP_ORDER_IMPL_H

#include "encode/decider.h"
#include "engine/engine.h"
#include "engine/order/loops.h"
#include "engine/order/unwindset.h"
#include "engine/order/unwound.h"

typedef struct order_search {
  engine_run *run;
  budget budget;        // the budget of the run; every query of it also shows the progress
  const decider *decider;  // while queries run
  uint32_t open;        // number of goals not yet decided
  loop_nesting loops;
  unwindset unwindset;
  uint32_t unwind;
  uint32_t bugs;
  uint64_t rounds, clauses, events, nodes, calls, variables, sat_clauses, walks;
  const reason *stopped, *incompleteness, *bound;
  // all queries about bugs and incompleteness of the last iteration were answered with no, and none was left out
  bool answered;
  completion evidence;  // how complete these answers are
  bool cut, cut_for_good;  // an execution may have been cut where more unwinding helps, or where it does not
  bool few_contexts;    // executions with more context switches were left out
  bool complete;        // all queries were answered with no, and nothing was cut
  map found;            // what is not queried again: property and edge, or the two edges of a race
  bool deadlock_found;  // one deadlock is enough
} order_search;

void order_begin_progress (order_search *);                     // fills `budget`
const reason *order_search_spent (const order_search *);  // the reason why the time is over; NULL: it is not
// Queries the solver about everything that may go wrong in the unwound program, reports violations, and sets answered,
// cut, cut_for_good, few_contexts, incompleteness and stopped.
void order_query_all (order_search *, const unwound *, term_pool *);

#endif
