// Rules for ITE.  An ITE of one bit becomes AND and XOR if a branch is constant or equal to the condition.
#include "encode/encode_impl.h"

static term ite_of_bits (term_pool *p, term c, term x, term y) {
  term z;
  if (term_is_true (p, x) || term_same (x, c)) return term_or (p, c, y);
  if (term_is_false (p, x) || term_opposite (p, x, c)) return term_and (p, term_not (p, c), y);
  if (term_is_false (p, y) || term_same (y, c)) return term_and (p, c, x);
  if (term_is_true (p, y) || term_opposite (p, y, c)) return term_or (p, term_not (p, c), x);
  if (term_opposite (p, x, y)) return term_compare (p, IR_X_XOR, c, y);
  if (term_is_complement (p, x, &z))
    return term_not (p, term_ite (p, c, z, term_not (p, y)));  // canonical: the first branch is no complement
  return TERM_NONE;
}

// Replaces a branch that is an ITE with the same condition by the branch of that ITE.  True: the branch has changed.
static bool narrow_branch (const term_pool *p, term c, bool is_true, term *branch) {
  if (term_op (p, *branch) != IR_X_ITE) return false;
  term d = term_arg (p, *branch, 0);
  if (!term_same (c, d)) return false;  // conditions of ITE are never complements
  *branch = term_arg (p, *branch, is_true ? 1 : 2);
  return true;
}

// Rewrites ite (c, x, ite (d, v, w)) to one ITE if x is v or w.
static term join_choices (term_pool *p, term c, term x, term inner, bool inner_if_true) {
  if (term_op (p, inner) != IR_X_ITE) return TERM_NONE;
  term_node n = *term_at (p, inner);
  bool first = term_same (n.arg[1], x), second = term_same (n.arg[2], x);
  if (!first && !second) return TERM_NONE;
  term met = inner_if_true ? c : term_not (p, c);
  term other_chosen = first ? term_not (p, n.arg[0]) : n.arg[0];
  return term_ite (p, term_and (p, met, other_chosen), first ? n.arg[2] : n.arg[1], x);
}

// ite (v == w, v, w) is w.
static term ite_of_equals (const term_pool *p, term c, term x, term y) {
  if (term_op (p, c) != IR_X_EQ) return TERM_NONE;
  term v = term_arg (p, c, 0), w = term_arg (p, c, 1);
  bool same = (term_same (v, x) && term_same (w, y)) || (term_same (v, y) && term_same (w, x));
  return same ? y : TERM_NONE;
}

// Is t the zero extension of a word of this width, or a constant that fits into this width?
static bool is_zero_extendable (const term_pool *p, term t, unsigned bits) {
  if (term_is_const (p, t)) return !(term_value (p, t) & ~term_mask (bits));
  return term_op (p, t) == IR_X_ZEXT && term_bits (p, term_arg (p, t, 0)) == bits;
}

// If both branches are zero extensions from the same width, extends the choice between the narrow words instead.
static term choose_narrow (term_pool *p, term c, term x, term y) {
  term extended = term_op (p, x) == IR_X_ZEXT ? x : y;
  if (term_is_const (p, x) && term_is_const (p, y)) {
    if (term_is (p, x, 1) && term_is (p, y, 0)) return term_resize (p, c, term_bits (p, x));
    if (term_is (p, x, 0) && term_is (p, y, 1)) return term_resize (p, term_not (p, c), term_bits (p, x));
    return TERM_NONE;
  }
  if (term_op (p, extended) != IR_X_ZEXT) return TERM_NONE;
  unsigned bits = term_bits (p, term_arg (p, extended, 0));
  if (!is_zero_extendable (p, x, bits) || !is_zero_extendable (p, y, bits)) return TERM_NONE;
  return term_resize (p, term_ite (p, c, rewrite_extract (p, x, 0, bits), rewrite_extract (p, y, 0, bits)),
                      term_bits (p, x));
}

term rewrite_ite (term_pool *p, term c, term x, term y) {
  term z;
  if (term_is_const (p, c)) return term_is_true (p, c) ? x : y;
  if (term_same (x, y)) return x;
  if (term_is_complement (p, c, &z)) return term_ite (p, z, y, x);
  if (narrow_branch (p, c, true, &x) || narrow_branch (p, c, false, &y)) return term_ite (p, c, x, y);
  z = term_bits (p, x) == 1 ? ite_of_bits (p, c, x, y) : choose_narrow (p, c, x, y);
  if (!term_is_some (z)) z = ite_of_equals (p, c, x, y);
  if (!term_is_some (z)) z = join_choices (p, c, x, y, false);
  return term_is_some (z) ? z : join_choices (p, c, y, x, true);
}
