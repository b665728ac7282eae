// Comparisons of floats as comparisons of their bits (IEEE 754, formats of 32 and 64 bits).
//
// Without the sign bit, larger bits are larger numbers, and everything above infinity is not a number.  With equal
// signs the bits order the numbers, backwards if negative; with different signs the negative one is smaller, except
// that both zeros are equal.
#include "encode/encode_impl.h"

typedef struct operand {
  term word, sign, magnitude, is_nan;
} operand;

static operand take_apart (term_pool *p, term x) {
  unsigned bits = term_bits (p, x), fraction = bits == 32 ? 23 : 52;
  ir_value infinity = term_mask (bits - 1) & ~term_mask (fraction);
  operand o = {.word = x, .sign = term_extract (p, x, bits - 1, 1), .magnitude = term_extract (p, x, 0, bits - 1)};
  o.is_nan = term_ult (p, term_const (p, bits - 1, infinity), o.magnitude);
  return o;
}

static term both_zero (term_pool *p, const operand *a, const operand *b) {
  term zero = term_const_like (p, a->magnitude, 0);
  return term_and (p, term_eq (p, a->magnitude, zero), term_eq (p, b->magnitude, zero));
}

// Neither is a NaN.
static term compare_numbers (term_pool *p, ir_expr_op op, const operand *a, const operand *b) {
  term zeros = both_zero (p, a, b);
  if (op == IR_X_FEQ) return term_or (p, zeros, term_eq (p, a->word, b->word));
  term same_sign = term_eq (p, a->sign, b->sign);
  term forwards = op == IR_X_FLT ? term_ult (p, a->word, b->word) : term_ule (p, a->word, b->word);
  term backwards = op == IR_X_FLT ? term_ult (p, b->word, a->word) : term_ule (p, b->word, a->word);
  term across = op == IR_X_FLT ? term_and (p, a->sign, term_not (p, zeros)) : term_or (p, a->sign, zeros);
  return term_ite (p, same_sign, term_ite (p, a->sign, backwards, forwards), across);
}

term rewrite_float_compare (term_pool *p, ir_expr_op op, term x, term y) {
  unsigned bits = term_bits (p, x);
  if (bits != 32 && bits != 64) return TERM_NONE;
  operand a = take_apart (p, x), b = take_apart (p, y);
  term unordered = term_or (p, a.is_nan, b.is_nan);
  if (op == IR_X_FUNO) return unordered;
  return term_and (p, term_not (p, unordered), compare_numbers (p, op, &a, &b));
}
