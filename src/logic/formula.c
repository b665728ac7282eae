// Formulas: hash-consed, in negation normal form, simplified as they are made.  The simplifications are the cheap
// identities that keep automata of everyday formulas small; the automaton is reduced again afterwards.
#include "base/limits.h"
#include "logic/logic.h"

#include <string.h>

#include "base/diag.h"

const char *const ltl_atom_name[LTL_NUM_ATOM_KINDS] = {
#define ATOM(ID, NAME, OF, MEANING) NAME,
    LTL_ATOMS (ATOM)
#undef ATOM
};

bool ltl_atom_is_of (ltl_atom_kind kind, char language) {
  static const char of[LTL_NUM_ATOM_KINDS] = {
#define ATOM(ID, NAME, OF, MEANING) OF,
      LTL_ATOMS (ATOM)
#undef ATOM
  };
  return of[kind] == language || of[kind] == 'b';
}

static ltl node_add (ltl_pool *p, ltl_node n) {
  bool is_new;
  ltl f = {intern_add (&p->numbers, &n, sizeof n, &is_new)};
  if (is_new) vec_push (&p->nodes, n);
  return f;
}

ltl_pool *ltl_pool_new (void) {
  arena *a = arena_new ();
  ltl_pool *p = arena_zalloc (a, sizeof *p);
  p->arena = a;
  node_add (p, (ltl_node){.op = LTL_FALSE});
  node_add (p, (ltl_node){.op = LTL_TRUE});
  return p;
}

void ltl_pool_free (ltl_pool *p) {
  vec_release (&p->nodes);
  vec_release (&p->atoms);
  intern_release (&p->numbers);
  map_release (&p->negations);
  arena_free (p->arena);
}

uint32_t ltl_add_atom (ltl_pool *p, ltl_atom_kind kind, const char *argument, uint32_t column) {
  for (uint32_t k = 0; k < p->atoms.count; k++)
    if (p->atoms.data[k].kind == kind && !strcmp (p->atoms.data[k].argument, argument)) return k;
  if (at_limit (FORMULA_ATOMS, p->atoms.count)) return LIMIT_FORMULA_ATOMS;
  vec_push (&p->atoms, ((ltl_atom){kind, arena_strdup (p->arena, argument), column}));
  return p->atoms.count - 1;
}

// ---- making formulas ---------------------------------------------------------------------------------

ltl ltl_constant (bool value) { return (ltl){value}; }
static bool is_false_formula (ltl f) { return f.i == 0; }
static bool is_true_formula (ltl f) { return f.i == 1; }

ltl ltl_literal (ltl_pool *p, uint32_t atom, bool negated) {
  return node_add (p, (ltl_node){.op = LTL_LITERAL, .atom = atom, .negated = negated});
}

static bool are_opposite_literals (const ltl_pool *p, ltl a, ltl b) {
  const ltl_node *x = ltl_at (p, a), *y = ltl_at (p, b);
  return x->op == LTL_LITERAL && y->op == LTL_LITERAL && x->atom == y->atom && x->negated != y->negated;
}

static ltl commutative (ltl_pool *p, ltl_op op, ltl a, ltl b) {
  if (a.i > b.i) return commutative (p, op, b, a);
  return node_add (p, (ltl_node){.op = op, .left = a, .right = b});
}

ltl ltl_and (ltl_pool *p, ltl a, ltl b) {
  if (is_false_formula (a) || is_false_formula (b) || are_opposite_literals (p, a, b)) return ltl_constant (false);
  if (is_true_formula (a) || ltl_same (a, b)) return b;
  if (is_true_formula (b)) return a;
  return commutative (p, LTL_AND, a, b);
}

ltl ltl_or (ltl_pool *p, ltl a, ltl b) {
  if (is_true_formula (a) || is_true_formula (b) || are_opposite_literals (p, a, b)) return ltl_constant (true);
  if (is_false_formula (a) || ltl_same (a, b)) return b;
  if (is_false_formula (b)) return a;
  return commutative (p, LTL_OR, a, b);
}

ltl ltl_next (ltl_pool *p, ltl f) {
  if (is_false_formula (f) || is_true_formula (f)) return f;
  return node_add (p, (ltl_node){.op = LTL_NEXT, .left = f});
}

// a U (a U b) is a U b; F (a U b) is F b; G F, kept as it is, may stand below F.
ltl ltl_until (ltl_pool *p, ltl a, ltl b) {
  if (is_true_formula (b) || is_false_formula (b) || is_false_formula (a) || ltl_same (a, b)) return b;
  ltl_node right = *ltl_at (p, b);
  if (right.op == LTL_UNTIL && (ltl_same (right.left, a) || is_true_formula (a))) return ltl_until (p, a, right.right);
  return node_add (p, (ltl_node){.op = LTL_UNTIL, .left = a, .right = b});
}

ltl ltl_release (ltl_pool *p, ltl a, ltl b) {
  if (is_true_formula (b) || is_false_formula (b) || is_true_formula (a) || ltl_same (a, b)) return b;
  ltl_node right = *ltl_at (p, b);
  if (right.op == LTL_RELEASE && (ltl_same (right.left, a) || is_false_formula (a)))
    return ltl_release (p, a, right.right);
  return node_add (p, (ltl_node){.op = LTL_RELEASE, .left = a, .right = b});
}

static ltl negate (ltl_pool *p, const ltl_node *n) {
  if (n->op == LTL_FALSE) return ltl_constant (true);
  if (n->op == LTL_TRUE) return ltl_constant (false);
  if (n->op == LTL_LITERAL) return ltl_literal (p, n->atom, !n->negated);
  if (n->op == LTL_NEXT) return ltl_next (p, ltl_not (p, n->left));
  ltl a = ltl_not (p, n->left), b = ltl_not (p, n->right);
  switch (n->op) {
  case LTL_AND: return ltl_or (p, a, b);
  case LTL_OR: return ltl_and (p, a, b);
  case LTL_UNTIL: return ltl_release (p, a, b);
  default: return ltl_until (p, a, b);
  }
}

ltl ltl_not (ltl_pool *p, ltl f) {
  uint64_t *known = map_find (&p->negations, f.i);
  if (known) return (ltl){(uint32_t) *known};
  ltl_node n = *ltl_at (p, f);
  ltl opposite = negate (p, &n);
  map_insert (&p->negations, f.i, opposite.i, NULL);
  return opposite;
}
