// Translates expressions of rules to terms.  The position of an expression in the rule determines whether it is a
// condition or a number; `a ? b : c` may be either.
#include "encode/rule.h"

#include "base/diag.h"

term rule_condition (const rule_terms *t, const ir_rule_expr *x) {
  term_pool *p = t->terms;
  if (!x) return p->truth;
  switch (x->op) {
  case IR_R_NUMBER: return x->value ? p->truth : p->falsity;
  case IR_R_MINE:
  case IR_R_WAITING:
  case IR_R_IN_USE: return t->leaf (t->context, x->op, 0);
  case IR_R_EQUAL: return term_eq (p, rule_number (t, x->a), rule_number (t, x->b));
  case IR_R_NOT: return term_not (p, rule_condition (t, x->a));
  case IR_R_AND: return term_and (p, rule_condition (t, x->a), rule_condition (t, x->b));
  case IR_R_OR: return term_or (p, rule_condition (t, x->a), rule_condition (t, x->b));
  case IR_R_IF: return term_ite (p, rule_condition (t, x->a), rule_condition (t, x->b), rule_condition (t, x->c));
  case IR_R_ARG:
  case IR_R_SELF:
  case IR_R_WORD:
  case IR_R_READS:
  case IR_R_PLUS: break;
  }
  BUG ("an expression of a rule should be a condition");
}

term rule_number (const rule_terms *t, const ir_rule_expr *x) {
  term_pool *p = t->terms;
  switch (x->op) {
  case IR_R_NUMBER: return term_const (p, 32, x->value);
  case IR_R_ARG:
  case IR_R_SELF:
  case IR_R_READS: return t->leaf (t->context, x->op, 0);
  case IR_R_WORD: return t->leaf (t->context, x->op, (ir_word) x->value);
  case IR_R_IF: return term_ite (p, rule_condition (t, x->a), rule_number (t, x->b), rule_number (t, x->c));
  case IR_R_PLUS: return term_add (p, rule_number (t, x->a), term_const (p, 32, x->value));
  case IR_R_MINE:
  case IR_R_WAITING:
  case IR_R_IN_USE:
  case IR_R_EQUAL:
  case IR_R_NOT:
  case IR_R_AND:
  case IR_R_OR: break;
  }
  BUG ("an expression of a rule should be a number");
}

uint32_t rule_changes (const rule_terms *t, const ir_rule *r, rule_change out[IR_MOST_EFFECTS]) {
  for (uint32_t k = 0; k < r->num_effects; k++) {
    const ir_effect *e = &r->effects[k];
    out[k] = (rule_change){e->word, rule_number (t, e->value), rule_condition (t, e->when)};
  }
  return r->num_effects;
}
