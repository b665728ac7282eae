// Takes cases in descending order of their values.  Operands are older than the terms that contain them, so splitting
// the other cases cannot lead to the youngest value again.
#include "encode/cases.h"

void cases_add (term_pool *p, term_cases *all, term_case c) {
  if (term_is_false (p, c.condition)) return;
  for (uint32_t k = 0; k < all->count; k++) {
    term_case *old = &all->data[k];
    if (old->value.i != c.value.i || old->more.i != c.more.i) continue;
    old->condition = term_or (p, old->condition, c.condition);
    return;
  }
  vec_push (all, c);
}

bool cases_take (term_cases *all, term_case *out) {
  uint32_t youngest = 0;
  for (uint32_t k = 1; k < all->count; k++)
    if (all->data[k].value.i > all->data[youngest].value.i) youngest = k;
  if (!all->count) return false;
  *out = all->data[youngest];
  all->data[youngest] = vec_pop (all);
  return true;
}

static void split_choice (term_pool *p, term_cases *all, term_case c, const term_node *n) {
  term otherwise = term_not (p, n->arg[0]);
  cases_add (p, all, (term_case){n->arg[1], c.more, term_and (p, c.condition, n->arg[0])});
  cases_add (p, all, (term_case){n->arg[2], c.more, term_and (p, c.condition, otherwise)});
}

static bool split_sum (term_pool *p, term_cases *all, term_case c, const term_node *n, case_distance *of, void *state) {
  for (unsigned k = 2; k-- > 0;) {
    term distance = of (state, n->arg[k]);
    if (distance.i == TERM_NONE.i) continue;
    cases_add (p, all, (term_case){n->arg[!k], term_add (p, c.more, distance), c.condition});
    return true;
  }
  return false;
}

bool cases_split (term_pool *p, term_cases *all, term_case c, case_distance *distance_of, void *state) {
  const term_node n = *term_at (p, c.value);
  if (n.op == IR_X_ADD) return split_sum (p, all, c, &n, distance_of, state);
  if (n.op == IR_X_ITE) split_choice (p, all, c, &n);
  return n.op == IR_X_ITE;
}
