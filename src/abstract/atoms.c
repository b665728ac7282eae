// Splits conditions into atoms. A comparison of values of which one is chosen, `(c ? x : 3) == y`, consists of c, `x ==
// y` and `3 == y`: so each atom contains few variables.
#include "abstract/predicates.h"

typedef struct atom_collector {
  term_pool *pool;
  map seen;
  term_list *out;
  uint32_t visits;
} atom_collector;

static bool is_condition (const term_pool *p, term t) { return term_bits (p, t) == 1; }

static bool is_connective (const term_pool *p, term t) {
  const term_node *n = term_at (p, t);
  if (n->op == IR_X_EQ || n->op == IR_X_NE) return is_condition (p, n->arg[0]);
  return n->op == IR_X_AND || n->op == IR_X_OR || n->op == IR_X_XOR || n->op == IR_X_ITE;
}

// ---- choices inside ---------------------------------------------------------------------------------
static term find_choice_in (const term_pool *p, term t, map *seen) {
  bool is_new;
  map_insert (seen, t.i, 0, &is_new);
  const term_node *n = term_at (p, t);
  if (!is_new) return TERM_NONE;
  if (n->op == IR_X_ITE) return t;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) {
    term found = find_choice_in (p, n->arg[k], seen);
    if (found.i != TERM_NONE.i) return found;
  }
  return TERM_NONE;
}

static term find_choice (const term_pool *p, term t) {
  map seen = {0};
  term found = find_choice_in (p, t, &seen);
  map_release (&seen);
  return found;
}

static term term_with_replacement (term_pool *p, term t, term old, term by, map *done) {
  if (t.i == old.i) return by;
  const uint64_t *known = map_find (done, t.i);
  if (known) return (term){(uint32_t) *known};
  term_node n = *term_at (p, t);
  term r = t;
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) n.arg[k] = term_with_replacement (p, n.arg[k], old, by, done);
  if (ir_expr_arity (n.op)) r = term_apply (p, n.op, n.bits, n.arg[0], n.arg[1], n.arg[2]);
  map_insert (done, t.i, r.i, NULL);
  return r;
}

static term replace_term (term_pool *p, term t, term old, term by) {
  map done = {0};
  term r = term_with_replacement (p, t, old, by, &done);
  map_release (&done);
  return r;
}

// ---- parts ------------------------------------------------------------------------------------------
static void collect_atoms (atom_collector *c, term t);

static void collect_from_comparison (atom_collector *c, term t) {
  term choice = find_choice (c->pool, t);
  if (choice.i == TERM_NONE.i) {
    vec_push (c->out, t);
    return;
  }
  term_node n = *term_at (c->pool, choice);
  collect_atoms (c, n.arg[0]);
  collect_atoms (c, replace_term (c->pool, t, choice, n.arg[1]));
  collect_atoms (c, replace_term (c->pool, t, choice, n.arg[2]));
}

static void collect_atoms (atom_collector *c, term t) {
  bool is_new;
  if (term_is_const (c->pool, t) || c->visits > 20 * ATOMS_LIMIT || c->out->count >= ATOMS_LIMIT) return;
  map_insert (&c->seen, t.i, 0, &is_new);
  if (!is_new) return;
  c->visits++;
  if (!is_connective (c->pool, t)) {
    collect_from_comparison (c, t);
    return;
  }
  term_node n = *term_at (c->pool, t);
  for (unsigned k = 0; k < ir_expr_arity (n.op); k++) collect_atoms (c, n.arg[k]);
}

void atoms_of (term_pool *p, term condition, term_list *out) {
  atom_collector c = {.pool = p, .out = out};
  for (uint32_t k = 0; k < out->count; k++) map_insert (&c.seen, out->data[k].i, 0, NULL);
  collect_atoms (&c, condition);
  map_release (&c.seen);
}

// ---- variables --------------------------------------------------------------------------------------
static void sort_up (number_list *l) {
  for (uint32_t i = 1; i < l->count; i++)
    for (uint32_t k = i; k && l->data[k - 1] > l->data[k]; k--) {
      uint32_t x = l->data[k];
      l->data[k] = l->data[k - 1], l->data[k - 1] = x;
    }
}

static bool find_variables (const efsm *m, term t, map *seen, number_list *out) {
  bool is_new, good = true;
  map_insert (seen, t.i, 0, &is_new);
  if (!is_new) return true;
  const term_node *n = term_at (&m->terms, t);
  if (n->op == IR_X_REG) {
    const uint64_t *v = map_find (&m->variable_of, t.i);
    if (v) vec_push (out, (uint32_t) *v);
    return v != NULL;
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) good &= find_variables (m, n->arg[k], seen, out);
  return good;
}

bool variables_of (const efsm *m, term t, number_list *out) {
  map seen = {0};
  bool good = find_variables (m, t, &seen, out);
  sort_up (out);
  map_release (&seen);
  return good;
}
