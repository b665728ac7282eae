// Rules for extracting bits of a word.  There is no operator for this: bits [low..low+bits[ of x are trunc (x >> low).
// The rules descend into x as long as the bits are in one operand, or in two concatenated operands.
#include "encode/encode_impl.h"

static term as_it_is (term_pool *p, term x, unsigned low, unsigned bits) {
  if (low) x = term_intern (p, IR_X_LSHR, term_bits (p, x), x, term_const_like (p, x, low), TERM_NONE);
  return term_intern (p, IR_X_TRUNC, bits, x, TERM_NONE, TERM_NONE);
}

static ir_value bit_field_mask (unsigned low, unsigned bits) { return term_mask (bits) << low; }
static term part_of_const (term_pool *p, term c, unsigned low, unsigned bits) {
  return term_const (p, bits, term_value (p, c) >> low);
}

// ---- by operator ---------------------------------------------------------------------------------------------------

static term extract_extension (term_pool *p, ir_expr_op op, term x, unsigned low, unsigned bits) {
  unsigned from = term_bits (p, x);
  if (low + bits <= from) return rewrite_extract (p, x, low, bits);
  if (low < from) return term_unary (p, op, bits, rewrite_extract (p, x, low, from - low));
  return op == IR_X_ZEXT ? term_const (p, bits, 0) : term_unary (p, op, bits, rewrite_extract (p, x, from - 1, 1));
}

static term extract_down_shift (term_pool *p, ir_expr_op op, term x, ir_value amount, unsigned low, unsigned bits) {
  unsigned width = term_bits (p, x);
  if (amount >= width) return TERM_NONE;
  low += (unsigned) amount;
  if (low + bits <= width) return rewrite_extract (p, x, low, bits);
  if (op == IR_X_ASHR) return TERM_NONE;
  return low < width ? term_resize (p, rewrite_extract (p, x, low, width - low), bits) : term_const (p, bits, 0);
}

static term extract_up_shift (term_pool *p, term x, ir_value amount, unsigned low, unsigned bits) {
  if (amount >= term_bits (p, x)) return TERM_NONE;
  unsigned n = (unsigned) amount;
  if (low >= n) return rewrite_extract (p, x, low - n, bits);
  if (low + bits <= n) return term_const (p, bits, 0);
  return term_binary (p, IR_X_SHL, rewrite_extract (p, x, 0, bits),
                      term_const (p, bits, n - low));  // the upper bits of x are shifted out
}

static term extract_concat (term_pool *p, term high, term low_word, unsigned low, unsigned bits) {
  unsigned border = term_bits (p, low_word), top = border + term_bits (p, high);
  // bits of one word only: extract_logic finds it by the known zeros of the other
  if (low >= border || low + bits <= border) return TERM_NONE;
  unsigned above = low + bits < top ? low + bits - border : top - border;
  term joined = term_concat (p, rewrite_extract (p, high, 0, above), rewrite_extract (p, low_word, low, border - low));
  return term_resize (p, joined, bits);
}

static term extract_logic (term_pool *p, term_node n, unsigned low, unsigned bits) {
  ir_value mask = bit_field_mask (low, bits);
  if (term_is_const (p, n.arg[1]))
    return term_binary (p, n.op, rewrite_extract (p, n.arg[0], low, bits), part_of_const (p, n.arg[1], low, bits));
  for (unsigned k = 0; n.op != IR_X_AND && k < 2; k++)
    if (term_knows_zero (p, n.arg[k], mask)) return rewrite_extract (p, n.arg[1 - k], low, bits);
  return TERM_NONE;
}

// Can the low bits of the word be extracted without descending into its operands?
static bool is_cheap (const term_pool *p, term t, unsigned bits) {
  ir_expr_op op = term_op (p, t);
  return op == IR_X_CONST || ((op == IR_X_ZEXT || op == IR_X_SEXT) && term_bits (p, term_arg (p, t, 0)) <= bits);
}

// Extracts from x + c if there is no carry into the bits from below, and the low bits of a sum, difference or product,
// which depend on low bits only.
static term extract_arithmetic (term_pool *p, term_node n, unsigned low, unsigned bits) {
  if (low) {
    if (n.op != IR_X_ADD || !term_is_const (p, n.arg[1])) return TERM_NONE;
    ir_value below = term_mask (low);
    if ((known_max (p, n.arg[0]) & below) + (term_value (p, n.arg[1]) & below) > below) return TERM_NONE;
  } else if (!term_is_const (p, n.arg[1]) && !(is_cheap (p, n.arg[0], bits) && is_cheap (p, n.arg[1], bits)))
    return TERM_NONE;
  return term_binary (p, n.op, rewrite_extract (p, n.arg[0], low, bits), rewrite_extract (p, n.arg[1], low, bits));
}

static term extract_choice (term_pool *p, term_node n, unsigned low, unsigned bits) {
  if (!term_is_const (p, n.arg[1]) && !term_is_const (p, n.arg[2])) return TERM_NONE;
  return term_ite (p, n.arg[0], rewrite_extract (p, n.arg[1], low, bits), rewrite_extract (p, n.arg[2], low, bits));
}

// ---- all -----------------------------------------------------------------------------------------------------------

static term extract (term_pool *p, term x, unsigned low, unsigned bits) {
  term_node n = *term_at (p, x);
  term high, below;
  switch (n.op) {
  case IR_X_TRUNC: return rewrite_extract (p, n.arg[0], low, bits);
  case IR_X_ZEXT:
  case IR_X_SEXT: return extract_extension (p, n.op, n.arg[0], low, bits);
  case IR_X_LSHR:
  case IR_X_ASHR:
    return term_is_const (p, n.arg[1]) ? extract_down_shift (p, n.op, n.arg[0], term_value (p, n.arg[1]), low, bits)
                                       : TERM_NONE;
  case IR_X_SHL:
    return term_is_const (p, n.arg[1]) ? extract_up_shift (p, n.arg[0], term_value (p, n.arg[1]), low, bits)
                                       : TERM_NONE;
  case IR_X_OR:
    if (term_is_concat (p, x, &high, &below)) {
      term r = extract_concat (p, high, below, low, bits);
      if (term_is_some (r)) return r;
    }
    return extract_logic (p, n, low, bits);
  case IR_X_AND:
  case IR_X_XOR: return extract_logic (p, n, low, bits);
  case IR_X_ADD:
  case IR_X_SUB:
  case IR_X_MUL: return extract_arithmetic (p, n, low, bits);
  case IR_X_ITE: return extract_choice (p, n, low, bits);
  default: return TERM_NONE;
  }
}

term rewrite_extract (term_pool *p, term x, unsigned low, unsigned bits) {
  if (bits == term_bits (p, x)) return x;
  term_known k = term_known_bits (p, x);
  ir_value mask = bit_field_mask (low, bits);
  if (((k.zeros | k.ones) & mask) == mask) return term_const (p, bits, k.ones >> low);
  term r = TERM_NONE;
  if (p->depth < TERM_MAX_DEPTH) {
    p->depth++;
    r = extract (p, x, low, bits);
    p->depth--;
  }
  return term_is_some (r) ? r : as_it_is (p, x, low, bits);
}
