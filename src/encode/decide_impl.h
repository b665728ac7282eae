// What a back end of the decider gives; decide.c does the rest.
#ifndef LOCKSTEP_DECIDE_IMPL_H
#define LOCKSTEP_DECIDE_IMPL_H

#include "encode/decide.h"

// Conditions handed to a back end are not constant.
typedef struct decide_backend {
  void *(*make) (term_pool *, const budget *);
  void (*release) (void *);
  void (*add_clause) (void *, const term *conditions, uint32_t count);
  void (*equal_if) (void *, term condition, term, term);
  decided (*check) (void *, const term *assumptions, uint32_t count);
  bool (*in_core) (void *, uint32_t assumption);
  // After YES: the value of a variable, or of an operator that is not modelled.  False: it plays no role, any value will do.
  bool (*leaf_value) (void *, term, ir_value *);
  bool (*is_exact) (const void *);
  decider_stats (*stats) (const void *);
  bool (*disagrees) (const void *);  // NULL: never
} decide_backend;

extern const decide_backend decide_by_sat, decide_by_smt, decide_by_both;   // decide_sat.c, decide_smt.c, decide_both.c

// What one back end says; one that is not exact may say yes too often (decide_both.c).
typedef struct opinion { decided answer; bool is_exact; } opinion;
bool decide_is_contradiction (opinion, opinion);

#endif
