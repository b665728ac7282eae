// Values of terms, given those of their leaves.  They are kept until the leaves change; deep terms need no deep stack.
//
//   evaluator e = {.pool = &pool, .leaf_value = value_in_model, .state = model};
//   ir_value x = evaluate (&e, t);
//   evaluator_forget (&e);                      // there is another model
//   evaluator_release (&e);
#ifndef LOCKSTEP_EVALUATE_H
#define LOCKSTEP_EVALUATE_H

#include "encode/term.h"

// Of a variable, or of an operator that is not modelled exactly.  False: it plays no role; a variable is 0 then, an operator computed.
typedef bool evaluate_leaf (void *state, term, ir_value *);

typedef struct evaluator {
  const term_pool *pool;
  evaluate_leaf *leaf_value;
  void *state;
  VEC (ir_value) value;        // by term
  VEC (uint32_t) stamp;        // by term: the number of the model for which it was computed, plus 1
  VEC (term) stack;
  uint32_t model;              // 0, 1, ...
} evaluator;

void evaluator_release (evaluator *);
void evaluator_forget (evaluator *);
ir_value evaluate (evaluator *, term);

#endif
