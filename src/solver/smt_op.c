// The operators of ir.h as terms of Z3.  Words of one bit are Booleans there, since that is what conditions are;
// arithmetic operators get them as bit-vectors of one bit.
//
// SMT-LIB defines division by zero and wide shifts as ir.h does, with one exception: bvsdiv of a negative number by
// zero is 1. Overflows are computed in a wider word and bit counts by addition, unlike in the circuits of src/encode,
// which are compared with these terms.
#include "solver/smt_impl.h"

#include "base/diag.h"
#include "solver/smt.h"

// ---- Booleans and words ------------------------------------------------------------------------------------------

static Z3_ast word_const (Z3_context z, unsigned bits, ir_value value) {
  bool bit[128] = {0};
  for (unsigned i = 0; i < bits; i++) bit[i] = value >> i & 1;
  return Z3_mk_bv_numeral (z, bits, bit);
}

Z3_ast smt_op_const (Z3_context z, unsigned bits, ir_value value) {
  if (bits == 1) return value & 1 ? Z3_mk_true (z) : Z3_mk_false (z);
  return word_const (z, bits, value);
}

static Z3_ast as_word (Z3_context z, unsigned bits, Z3_ast x) {
  return bits == 1 ? Z3_mk_ite (z, x, word_const (z, 1, 1), word_const (z, 1, 0)) : x;
}

static Z3_ast from_word (Z3_context z, unsigned bits, Z3_ast x) {
  return bits == 1 ? Z3_mk_eq (z, x, word_const (z, 1, 1)) : x;
}

// ---- operators on bit-vectors --------------------------------------------------------------------------------------

static Z3_ast divide_signed (Z3_context z, unsigned bits, Z3_ast x, Z3_ast y) {
  Z3_ast by_zero = Z3_mk_eq (z, y, word_const (z, bits, 0));
  return Z3_mk_ite (z, by_zero, word_const (z, bits, ~(ir_value) 0), Z3_mk_bvsdiv (z, x, y));
}

// Computed in `wider` bits, the result is not the extension of its lower part.
static Z3_ast overflows (Z3_context z, unsigned bits, unsigned more, bool is_signed,
                         Z3_ast (*op) (Z3_context, Z3_ast, Z3_ast), Z3_ast x, Z3_ast y) {
  Z3_ast (*extend) (Z3_context, unsigned, Z3_ast) = is_signed ? Z3_mk_sign_ext : Z3_mk_zero_ext;
  Z3_ast wide = op (z, extend (z, more, x), extend (z, more, y));
  return Z3_mk_not (z, Z3_mk_eq (z, wide, extend (z, more, Z3_mk_extract (z, bits - 1, 0, wide))));
}

static Z3_ast overflow (Z3_context z, ir_expr_op op, unsigned bits, Z3_ast x, Z3_ast y) {
  switch (op) {
  case IR_X_SADDO: return overflows (z, bits, 1, true, Z3_mk_bvadd, x, y);
  case IR_X_SSUBO: return overflows (z, bits, 1, true, Z3_mk_bvsub, x, y);
  case IR_X_SMULO: return overflows (z, bits, bits, true, Z3_mk_bvmul, x, y);
  case IR_X_UADDO: return overflows (z, bits, 1, false, Z3_mk_bvadd, x, y);
  case IR_X_USUBO: return Z3_mk_bvult (z, x, y);
  default: return overflows (z, bits, bits, false, Z3_mk_bvmul, x, y);  // UMULO
  }
}

static Z3_ast bit (Z3_context z, Z3_ast x, unsigned i) { return Z3_mk_extract (z, i, i, x); }

static Z3_ast count_ones (Z3_context z, unsigned bits, Z3_ast x) {
  Z3_ast sum = word_const (z, bits, 0);
  for (unsigned i = 0; i < bits; i++) {
    Z3_ast wide = bits > 1 ? Z3_mk_zero_ext (z, bits - 1, bit (z, x, i)) : x;
    sum = Z3_mk_bvadd (z, sum, wide);
  }
  return sum;
}

// The number of zero bits below the lowest one bit, or above the highest.
static Z3_ast count_zeros (Z3_context z, unsigned bits, Z3_ast x, bool from_above) {
  Z3_ast r = word_const (z, bits, bits), one = word_const (z, 1, 1);
  for (unsigned n = bits; n-- > 0;) {
    Z3_ast is_set = Z3_mk_eq (z, bit (z, x, from_above ? bits - 1 - n : n), one);
    r = Z3_mk_ite (z, is_set, word_const (z, bits, n), r);
  }
  return r;
}

// Reverses the order of groups of bits.
static Z3_ast reverse (Z3_context z, unsigned bits, Z3_ast x, unsigned group) {
  Z3_ast r = Z3_mk_extract (z, group - 1, 0, x);
  for (unsigned i = group; i < bits; i += group) r = Z3_mk_concat (z, r, Z3_mk_extract (z, i + group - 1, i, x));
  return r;
}

static Z3_ast word_op (Z3_context z, ir_expr_op op, unsigned bits, unsigned from, Z3_ast x, Z3_ast y) {
  switch (op) {
  case IR_X_ADD: return Z3_mk_bvadd (z, x, y);
  case IR_X_SUB: return Z3_mk_bvsub (z, x, y);
  case IR_X_MUL: return Z3_mk_bvmul (z, x, y);
  case IR_X_UDIV: return Z3_mk_bvudiv (z, x, y);
  case IR_X_SDIV: return divide_signed (z, bits, x, y);
  case IR_X_UREM: return Z3_mk_bvurem (z, x, y);
  case IR_X_SREM: return Z3_mk_bvsrem (z, x, y);
  case IR_X_SHL: return Z3_mk_bvshl (z, x, y);
  case IR_X_LSHR: return Z3_mk_bvlshr (z, x, y);
  case IR_X_ASHR: return Z3_mk_bvashr (z, x, y);
  case IR_X_AND: return Z3_mk_bvand (z, x, y);
  case IR_X_OR: return Z3_mk_bvor (z, x, y);
  case IR_X_XOR: return Z3_mk_bvxor (z, x, y);
  case IR_X_ZEXT: return Z3_mk_zero_ext (z, bits - from, x);
  case IR_X_SEXT: return Z3_mk_sign_ext (z, bits - from, x);
  case IR_X_TRUNC: return Z3_mk_extract (z, bits - 1, 0, x);
  case IR_X_CTPOP: return count_ones (z, bits, x);
  case IR_X_CTLZ: return count_zeros (z, bits, x, true);
  case IR_X_CTTZ: return count_zeros (z, bits, x, false);
  case IR_X_BSWAP: return reverse (z, bits, x, 8);
  case IR_X_BITREV: return reverse (z, bits, x, 1);
  case IR_X_FNEG: return Z3_mk_bvxor (z, x, word_const (z, bits, (ir_value) 1 << (bits - 1)));
  case IR_X_FABS: return Z3_mk_bvand (z, x, word_const (z, bits, ~((ir_value) 1 << (bits - 1))));
  default: BUG ("operator %d should be known to the SMT solver", op);
  }
}

// ---- comparisons and conditions ---------------------------------------------------------------------

static Z3_ast compare (Z3_context z, ir_expr_op op, unsigned from, Z3_ast x, Z3_ast y) {
  switch (op) {
  case IR_X_EQ: return Z3_mk_eq (z, x, y);
  case IR_X_NE: return Z3_mk_not (z, Z3_mk_eq (z, x, y));
  case IR_X_ULT: return Z3_mk_bvult (z, x, y);
  case IR_X_ULE: return Z3_mk_bvule (z, x, y);
  case IR_X_SLT: return Z3_mk_bvslt (z, x, y);
  case IR_X_SLE: return Z3_mk_bvsle (z, x, y);
  default: return overflow (z, op, from, x, y);
  }
}

static bool is_comparison_op (ir_expr_op op) {
  return (op >= IR_X_EQ && op <= IR_X_SLE) || (op >= IR_X_SADDO && op <= IR_X_UMULO);
}

static Z3_ast condition_op (Z3_context z, ir_expr_op op, Z3_ast x, Z3_ast y) {
  switch (op) {
  case IR_X_AND: return Z3_mk_and (z, 2, (Z3_ast[]){x, y});
  case IR_X_OR: return Z3_mk_or (z, 2, (Z3_ast[]){x, y});
  default: return Z3_mk_xor (z, x, y);
  }
}

bool smt_has_op (ir_expr_op op) { return (op >= IR_X_ADD && op <= IR_X_BITREV) || op == IR_X_FNEG || op == IR_X_FABS; }

Z3_ast smt_op_apply (Z3_context z, ir_expr_op op, unsigned bits, unsigned from, const Z3_ast arg[3]) {
  unsigned arity = ir_expr_arity (op);
  if (op == IR_X_ITE) return Z3_mk_ite (z, arg[0], arg[1], arg[2]);
  if (bits == 1 && (op == IR_X_AND || op == IR_X_OR || op == IR_X_XOR)) return condition_op (z, op, arg[0], arg[1]);
  if (op == IR_X_EQ) return Z3_mk_eq (z, arg[0], arg[1]);
  Z3_ast x = as_word (z, from, arg[0]), y = arity > 1 ? as_word (z, from, arg[1]) : NULL;
  if (is_comparison_op (op)) return compare (z, op, from, x, y);
  return from_word (z, bits, word_op (z, op, bits, from, x, y));
}
