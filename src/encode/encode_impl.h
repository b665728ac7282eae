// Declarations private to src/encode: shapes of terms, rewriting, known bits.
#ifndef LOCKSTEP_ENCODE_IMPL_H
#define LOCKSTEP_ENCODE_IMPL_H

#include "base/diag.h"
#include "encode/term.h"

static inline ir_value term_mask (unsigned bits) { return bits >= 128 ? ~(ir_value) 0 : ((ir_value) 1 << bits) - 1; }
static inline ir_value term_least (unsigned bits) { return (ir_value) 1 << (bits - 1); }  // the sign bit alone
static inline unsigned term_width_of (ir_value v) {  // number of bits up to the highest bit that is set
  uint64_t high = (uint64_t) (v >> 64), low = (uint64_t) v;
  return high ? 128 - (unsigned) __builtin_clzll (high) : low ? 64 - (unsigned) __builtin_clzll (low) : 0;
}

// ---- looking at terms (term.c) -----------------------------------------------------------------------------------
static inline ir_expr_op term_op (const term_pool *p, term t) { return p->nodes.data[t.i].op; }
static inline term term_arg (const term_pool *p, term t, unsigned k) { return p->nodes.data[t.i].arg[k]; }
static inline bool term_same (term a, term b) { return a.i == b.i; }
static inline bool term_is (const term_pool *p, term t, ir_value v) {
  return term_is_const (p, t) && term_value (p, t) == v;
}
static inline bool term_is_ones (const term_pool *p, term t) { return term_is (p, t, term_mask (term_bits (p, t))); }
static inline bool term_is_some (term t) { return t.i != TERM_NONE.i; }
static inline bool term_knows_zero (const term_pool *p, term t, ir_value bits) {
  return !(bits & ~p->known.data[t.i].zeros);
}

// Is the term this operator with a constant on its right, x <op> c?
bool term_is_op_const (const term_pool *, term, ir_expr_op, term *x, ir_value *c);
// Is the term a complement ~x (for conditions: not x)?
bool term_is_complement (const term_pool *, term, term *x);
static inline bool term_opposite (const term_pool *p, term a, term b) {
  term x;
  return (term_is_complement (p, a, &x) && x.i == b.i) || (term_is_complement (p, b, &x) && x.i == a.i);
}
// Is the term a concatenation of two words with zeros above them: (zext high << k) | zext low, where low has k bits?
bool term_is_concat (const term_pool *, term, term *high, term *low);

// ---- making terms ------------------------------------------------------------------------------------------------
// Returns exactly this term, without rewriting; only a term whose bits are all known becomes a constant.
term term_intern (term_pool *, ir_expr_op, unsigned bits, term, term, term);
term term_complement (term_pool *, term);        // ~x
static inline term term_unary (term_pool *p, ir_expr_op op, unsigned bits, term x) {
  return term_apply (p, op, bits, x, TERM_NONE, TERM_NONE);
}
static inline term term_binary (term_pool *p, ir_expr_op op, term x, term y) {
  return term_apply (p, op, term_bits (p, x), x, y, TERM_NONE);
}
static inline term term_compare (term_pool *p, ir_expr_op op, term x, term y) {
  return term_apply (p, op, 1, x, y, TERM_NONE);
}
static inline term term_const_like (term_pool *p, term x, ir_value v) { return term_const (p, term_bits (p, x), v); }

// ---- rewriting ---------------------------------------------------------------------------------------------------
// Each rule returns a simpler term of the same value, or TERM_NONE.  The operands are not all constant, and a constant
// operand of a commutative operator is on the right.
enum { TERM_MAX_DEPTH = 64 };                     // nesting depth of rewrites
typedef term term_rule (term_pool *, term, term);
term_rule rewrite_and, rewrite_or, rewrite_xor;                             // rewrite_logic.c
term_rule rewrite_concat;                                                  // joins adjacent parts of one word
term rewrite_ite (term_pool *, term condition, term, term);                 // rewrite_ite.c
term_rule rewrite_add, rewrite_sub, rewrite_mul;                            // rewrite_arith.c
term_rule rewrite_udiv, rewrite_urem, rewrite_sdiv, rewrite_srem;           // rewrite_divide.c
term rewrite_overflow (term_pool *, ir_expr_op, term, term);
term_rule rewrite_eq;                                                       // rewrite_equal.c
term_rule rewrite_ult, rewrite_slt;                                         // rewrite_order.c
term_rule rewrite_shl, rewrite_lshr, rewrite_ashr;                          // rewrite_shift.c
term rewrite_extend (term_pool *, ir_expr_op, unsigned bits, term);
term rewrite_extract (term_pool *, term, unsigned low, unsigned bits);      // rewrite_extract.c; always returns a term
term rewrite_float_compare (term_pool *, ir_expr_op, term, term);           // rewrite_float.c; NONE for 80 bits

// ---- known bits (known.c) ----------------------------------------------------------------------------------------
term_known known_of_op (const term_pool *, const term_node *);
static inline ir_value known_min (const term_pool *p, term t) { return p->known.data[t.i].ones; }
static inline ir_value known_max (const term_pool *p, term t) {
  return ~p->known.data[t.i].zeros & term_mask (term_bits (p, t));
}

// Is the operator one on floats without an exact model, so that its result may be any value?
bool term_op_is_inexact (ir_expr_op);

#endif
