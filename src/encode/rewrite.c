// Builds the term of an operator: canonical forms, constants, rules.
//
// Canonical forms reduce the number of rules: there is no NE, ULE, SLE (they are complements of EQ, and of ULT and SLT
// with exchanged operands), no OR of conditions (an AND of complements), no subtraction of a constant; constants are on
// the right, otherwise the older operand comes first.  Rules look two levels deep, and at most one of the terms that a
// rule builds looks into the same operands again; if a rule splits a word, its parts are disjoint.  So the nesting
// depth of rewrites bounds the work per term, and TERM_MAX_DEPTH bounds that depth: beyond it terms are built without
// rewriting.
#include "encode/encode_impl.h"

bool term_op_is_inexact (ir_expr_op op) {
  switch (op) {
  case IR_X_FADD:
  case IR_X_FSUB:
  case IR_X_FMUL:
  case IR_X_FDIV:
  case IR_X_FREM:
  case IR_X_FSQRT:
  case IR_X_FFLOOR:
  case IR_X_FCEIL:
  case IR_X_FTRUNC:
  case IR_X_FROUND:
  case IR_X_FEQ:
  case IR_X_FLT:
  case IR_X_FLE:
  case IR_X_FUNO:
  case IR_X_FCONV:
  case IR_X_FTOSI:
  case IR_X_FTOUI:
  case IR_X_SITOF:
  case IR_X_UITOF: return true;
  default: return false;
  }
}

// ---- widths ------------------------------------------------------------------------------------------------------

static bool is_word_comparison (ir_expr_op op) {
  return (op >= IR_X_EQ && op <= IR_X_SLE) || (op >= IR_X_SADDO && op <= IR_X_UMULO) ||
         (op >= IR_X_FEQ && op <= IR_X_FUNO);
}

static bool is_conversion (ir_expr_op op) {
  return op == IR_X_ZEXT || op == IR_X_SEXT || op == IR_X_TRUNC || (op >= IR_X_FCONV && op <= IR_X_UITOF);
}

static bool widths_fit (const term_pool *p, ir_expr_op op, unsigned bits, const term arg[3]) {
  unsigned left = term_bits (p, arg[0]);
  if (op == IR_X_ITE) return left == 1 && term_bits (p, arg[1]) == bits && term_bits (p, arg[2]) == bits;
  if (op == IR_X_ZEXT || op == IR_X_SEXT) return left <= bits;
  if (op == IR_X_TRUNC) return left >= bits;
  if (is_conversion (op)) return true;
  if (ir_expr_arity (op) == 2 && term_bits (p, arg[1]) != left) return false;
  return bits == (is_word_comparison (op) ? 1 : left);
}

// ---- constants ---------------------------------------------------------------------------------------------------

static unsigned operand_bits (const term_pool *p, ir_expr_op op, const term arg[3]) {
  return term_bits (p, arg[op == IR_X_ITE]);
}

// Returns the constant value if all operands are constant.
static term fold_constants (term_pool *p, ir_expr_op op, unsigned bits, const term arg[3]) {
  ir_value v[3] = {0};
  for (unsigned k = 0; k < ir_expr_arity (op); k++) {
    if (!term_is_const (p, arg[k])) return TERM_NONE;
    v[k] = term_value (p, arg[k]);
  }
  return term_const (p, bits, ir_eval_op (op, bits, operand_bits (p, op, arg), v));
}

static bool has_constant_branches (const term_pool *p, term t) {
  return term_op (p, t) == IR_X_ITE && term_is_const (p, term_arg (p, t, 1)) && term_is_const (p, term_arg (p, t, 2));
}

// If all operands are constant except one, which is a choice between two constants, returns the choice between the two
// values of the operator.
static term fold_choice (term_pool *p, ir_expr_op op, unsigned bits, const term arg[3]) {
  unsigned arity = ir_expr_arity (op), choice = 3;
  if (op == IR_X_ITE) return TERM_NONE;
  for (unsigned k = 0; k < arity; k++)
    if (has_constant_branches (p, arg[k]) && choice == 3) choice = k;
    else if (!term_is_const (p, arg[k])) return TERM_NONE;
  if (choice == 3) return TERM_NONE;
  term_node n = *term_at (p, arg[choice]);
  term yes[3] = {arg[0], arg[1], arg[2]}, no[3] = {arg[0], arg[1], arg[2]};
  yes[choice] = n.arg[1];
  no[choice] = n.arg[2];
  return term_ite (p, n.arg[0], fold_constants (p, op, bits, yes), fold_constants (p, op, bits, no));
}

// ---- rules -------------------------------------------------------------------------------------------------------

static term rewrite_unary (term_pool *p, ir_expr_op op, unsigned bits, term x) {
  switch (op) {
  case IR_X_ZEXT:
  case IR_X_SEXT: return rewrite_extend (p, op, bits, x);
  case IR_X_TRUNC: return rewrite_extract (p, x, 0, bits);
  case IR_X_BSWAP:
  case IR_X_BITREV:
    return bits == (op == IR_X_BSWAP ? 8 : 1) ? x : term_op (p, x) == op ? term_arg (p, x, 0) : TERM_NONE;
  case IR_X_FNEG: return term_binary (p, IR_X_XOR, x, term_const (p, bits, term_least (bits)));
  case IR_X_FABS: return term_binary (p, IR_X_AND, x, term_const (p, bits, term_mask (bits - 1)));
  default: return TERM_NONE;
  }
}

static term rewrite_binary (term_pool *p, ir_expr_op op, term x, term y) {
  switch (op) {
  case IR_X_ADD: return rewrite_add (p, x, y);
  case IR_X_SUB: return rewrite_sub (p, x, y);
  case IR_X_MUL: return rewrite_mul (p, x, y);
  case IR_X_UDIV: return rewrite_udiv (p, x, y);
  case IR_X_SDIV: return rewrite_sdiv (p, x, y);
  case IR_X_UREM: return rewrite_urem (p, x, y);
  case IR_X_SREM: return rewrite_srem (p, x, y);
  case IR_X_SHL: return rewrite_shl (p, x, y);
  case IR_X_LSHR: return rewrite_lshr (p, x, y);
  case IR_X_ASHR: return rewrite_ashr (p, x, y);
  case IR_X_AND: return rewrite_and (p, x, y);
  case IR_X_OR: return rewrite_or (p, x, y);
  case IR_X_XOR: return rewrite_xor (p, x, y);
  case IR_X_EQ: return rewrite_eq (p, x, y);
  case IR_X_ULT: return rewrite_ult (p, x, y);
  case IR_X_SLT: return rewrite_slt (p, x, y);
  case IR_X_SADDO:
  case IR_X_SSUBO:
  case IR_X_SMULO:
  case IR_X_UADDO:
  case IR_X_USUBO:
  case IR_X_UMULO: return rewrite_overflow (p, op, x, y);
  case IR_X_FEQ:
  case IR_X_FLT:
  case IR_X_FLE:
  case IR_X_FUNO: return rewrite_float_compare (p, op, x, y);
  default: return TERM_NONE;
  }
}

static term rewrite_operator (term_pool *p, ir_expr_op op, unsigned bits, const term arg[3]) {
  term r = fold_choice (p, op, bits, arg);
  if (term_is_some (r)) return r;
  if (op == IR_X_ITE) return rewrite_ite (p, arg[0], arg[1], arg[2]);
  return ir_expr_arity (op) == 1 ? rewrite_unary (p, op, bits, arg[0]) : rewrite_binary (p, op, arg[0], arg[1]);
}

static void swap_operands (term arg[3]) {
  term t = arg[0];
  arg[0] = arg[1];
  arg[1] = t;
}

// Replaces a comparison by the canonical one of which it is the complement, in *op and arg.  False: it is canonical
// itself.
static bool is_complement_of_other (ir_expr_op *op, term arg[3]) {
  if (*op == IR_X_NE) return *op = IR_X_EQ, true;
  if (*op != IR_X_ULE && *op != IR_X_SLE) return false;
  *op = *op == IR_X_ULE ? IR_X_ULT : IR_X_SLT;
  swap_operands (arg);
  return true;
}

static void order_operands (const term_pool *p, ir_expr_op op, term arg[3]) {
  if (!ir_op_commutes (op)) return;
  bool left = term_is_const (p, arg[0]), right = term_is_const (p, arg[1]);
  if (left != right ? left : arg[0].i > arg[1].i) swap_operands (arg);
}

term term_apply (term_pool *p, ir_expr_op op, unsigned bits, term a, term b, term c) {
  term arg[3] = {a, b, c};
  unsigned arity = ir_expr_arity (op);
  CHECK (arity, "operator %d should have operands", op);
  for (unsigned k = 0; k < 3; k++)
    CHECK ((k < arity) == term_is_some (arg[k]), "operator %d should have %u operands", op, arity);
  CHECK (widths_fit (p, op, bits, arg), "operands of operator %d should fit its width of %u", op, bits);
  if (is_complement_of_other (&op, arg)) return term_not (p, term_apply (p, op, bits, arg[0], arg[1], TERM_NONE));
  order_operands (p, op, arg);
  term r = fold_constants (p, op, bits, arg);
  if (term_is_some (r)) return r;
  if (p->depth < TERM_MAX_DEPTH) {
    p->depth++;
    r = rewrite_operator (p, op, bits, arg);
    p->depth--;
  }
  return term_is_some (r) ? r : term_intern (p, op, bits, arg[0], arg[1], arg[2]);
}
