// Rebuilds each term once per substitution, with the rewriting constructors, which fold operators that become constant.
#include "encode/substitute.h"

#include "base/diag.h"

void substitution_init (term_substitution *s, term_pool *pool) {
  *s = (term_substitution){.pool = pool, .num_nodes = pool->nodes.count};
  s->result = mem_alloc (sizeof *s->result * (s->num_nodes + 1));
  s->stamp = mem_zalloc (sizeof *s->stamp * (s->num_nodes + 1));
}

void substitution_release (term_substitution *s) {
  mem_free (s->result, sizeof *s->result * (s->num_nodes + 1));
  mem_free (s->stamp, sizeof *s->stamp * (s->num_nodes + 1));
}

void substitution_begin (term_substitution *s, substitute_variable *value_of, void *state) {
  s->value_of = value_of;
  s->state = state;
  s->now++;
}

static term rebuild_term (term_substitution *s, term t) {
  term_node n = *term_at (s->pool, t);
  if (n.op == IR_X_CONST) return t;
  if (n.op == IR_X_REG) return s->value_of (s->state, t);
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) n.arg[k] = substitute_term (s, n.arg[k]);
  return term_apply (s->pool, n.op, n.bits, n.arg[0], n.arg[1], n.arg[2]);
}

term substitute_term (term_substitution *s, term t) {
  CHECK (t.i < s->num_nodes, "a term that is substituted should be older than the substitution");
  if (s->stamp[t.i] == s->now) return s->result[t.i];
  term r = rebuild_term (s, t);
  s->result[t.i] = r;
  s->stamp[t.i] = s->now;
  return r;
}
