// The options of engine `order`.
#ifndef LOCKSTEP_ORDER_OPTIONS_H
#define LOCKSTEP_ORDER_OPTIONS_H

#include "encode/decider.h"
#include "engine/engine.h"

// field, type, name, kind, argument, initial value, min, max, uses, ways, help
// clang-format off
#define ORDER_OPTIONS(OPTION)                                                                                         \
  OPTION (unwind, uint64_t, "--unwind", NUMBER, "N", 0, 0, UINT32_MAX, FOR_CHECK | IS_BOUND, WAY_PROPERTIES,          \
          "unwind loops and recursion N times (0: more and more, until nothing is left out)")                         \
  OPTION (unwindset, const char *, "--unwindset", TEXT, "LIST", NULL, 0, 0, FOR_CHECK | IS_BOUND, WAY_PROPERTIES,     \
          "unwind these loops N times: function:line:N for one loop, function:N for all of a function, ...")          \
  OPTION (context_bound, uint64_t, "--context-bound", NUMBER, "N", 0, 0, UINT32_MAX, FOR_CHECK | IS_BOUND,            \
          WAY_PROPERTIES,                                                                                             \
          "only executions with at most N context switches (0: no limit)")                                            \
  OPTION (solver, decide_by, "--solver", CHOICE, OPTION_CHOICES (DECIDE_BY_WORDS), DECIDE_BY_SAT, 0, 0,               \
          FOR_CHECK, WAY_PROPERTIES,                                                                                  \
          "the solver that answers questions; both: compare the two, for tests")
// clang-format on

typedef struct order_options {
  ORDER_OPTIONS (OPTION_FIELD)
} order_options;

extern const option_table order_option_table;
const order_options *order_options_of (const task *);

#endif
