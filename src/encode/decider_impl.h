// The interface of the back ends of the decider.
#ifndef LOCKSTEP_DECIDE_IMPL_H
#define LOCKSTEP_DECIDE_IMPL_H

#include "encode/decider.h"

// Conditions that a back end gets are never constants.
typedef struct decide_backend {
  void *(*make) (term_pool *, const budget *);
  void (*release) (void *);
  void (*add_clause) (void *, const term *conditions, uint32_t count);
  void (*equal_if) (void *, term condition, term, term);
  decided (*check) (void *, const term *assumptions, uint32_t count);
  bool (*in_core) (void *, uint32_t assumption);
  // After YES: the value of a variable, or of an operator without an exact model.  False: the model is true for any
  // value.
  bool (*leaf_value) (void *, term, ir_value *);
  bool (*is_exact) (const void *);
  decider_stats (*stats) (const void *);
  bool (*disagrees) (const void *);  // NULL: never
} decide_backend;

// decider_sat.c, decider_smt.c, decider_both.c
extern const decide_backend decide_by_sat, decide_by_smt, decide_by_both;

// The answer of one back end.  If it is not exact, YES may be wrong (decider_both.c).
typedef struct opinion { decided answer; bool is_exact; } opinion;
bool decide_is_contradiction (opinion, opinion);

#endif
