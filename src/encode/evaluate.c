// Evaluates terms: a callback gives the values of leaves, and ir_eval_op computes operators.  An operator without an
// exact model has the value that the callback gives, and is computed if the callback gives none.
#include "encode/evaluate.h"

#include "encode/encode_impl.h"

void evaluator_release (evaluator *e) {
  vec_release (&e->value);
  vec_release (&e->stamp);
  vec_release (&e->stack);
}

void evaluator_forget (evaluator *e) {
  if (++e->model < UINT32_MAX) return;
  // the numbers of models have overflowed: clear all stamps
  for (uint32_t i = 0; i < e->stamp.count; i++) e->stamp.data[i] = 0;
  e->model = 0;
}

static bool is_evaluated (const evaluator *e, term t) { return e->stamp.data[t.i] == e->model + 1; }

static void set_term_value (evaluator *e, term t, ir_value value) {
  e->value.data[t.i] = value;
  e->stamp.data[t.i] = e->model + 1;
}

static bool operands_are_evaluated (evaluator *e, const term_node *n) {
  bool ready = true;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) {
    if (is_evaluated (e, n->arg[k])) continue;
    vec_push (&e->stack, n->arg[k]);
    ready = false;
  }
  return ready;
}

static ir_value operator_value (const evaluator *e, const term_node *n) {
  ir_value v[3] = {0};
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) v[k] = e->value.data[n->arg[k].i];
  return ir_eval_op (n->op, n->bits, term_bits (e->pool, n->arg[n->op == IR_X_ITE]), v);
}

// Computes the value of a term.  False: operands must be computed first, and have been pushed on the stack.
static bool try_evaluate (evaluator *e, term t, ir_value *value) {
  const term_node *n = term_at (e->pool, t);
  *value = n->op == IR_X_CONST ? n->value : 0;
  if (n->op == IR_X_CONST) return true;
  if ((n->op == IR_X_REG || term_op_is_inexact (n->op)) && e->leaf_value (e->state, t, value)) return true;
  if (n->op == IR_X_REG) return true;
  if (!operands_are_evaluated (e, n)) return false;
  *value = operator_value (e, n);
  return true;
}

ir_value evaluate_term (evaluator *e, term t) {
  while (e->value.count < e->pool->nodes.count) {
    vec_push (&e->value, 0);
    vec_push (&e->stamp, 0);
  }
  vec_push (&e->stack, t);
  while (e->stack.count) {
    term top = vec_last (&e->stack);
    ir_value value;
    if (!is_evaluated (e, top)) {
      if (!try_evaluate (e, top, &value)) continue;
      set_term_value (e, top, value);
    }
    e->stack.count--;
  }
  return e->value.data[t.i];
}
