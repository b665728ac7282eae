// Evaluates terms for given values of their leaves.  Values are cached until the leaves change.  Deep terms need no
// deep call stack.
//
//   evaluator e = {.pool = &pool, .leaf_value = value_in_model, .state = model};
//   ir_value x = evaluate_term (&e, t);
//   evaluator_forget (&e);                      // the model has changed
//   evaluator_release (&e);
#ifndef LOCKSTEP_EVALUATE_H
#define LOCKSTEP_EVALUATE_H

#include "encode/term.h"

// Gives the value of a variable, or of an operator without an exact model.  False: there is no value; then a variable
// is 0, and an operator is computed.
typedef bool evaluate_leaf (void *state, term, ir_value *);

typedef struct evaluator {
  const term_pool *pool;
  evaluate_leaf *leaf_value;
  void *state;
  VEC (ir_value) value;        // by term
  VEC (uint32_t) stamp;        // by term: number of the model for which the value was computed, plus 1
  VEC (term) stack;
  uint32_t model;              // number of the model: 0, 1, ...
} evaluator;

void evaluator_release (evaluator *);
void evaluator_forget (evaluator *);
ir_value evaluate_term (evaluator *, term);

#endif
