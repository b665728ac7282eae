// Translates terms to gates.  Terms may be 100,000 operators deep, so an explicit stack is used to translate operands
// first.
#include "encode/blast.h"

#include <string.h>

#include "base/cutoff.h"
#include "encode/gates.h"
#include "encode/encode_impl.h"

void blaster_init (blaster *b, const term_pool *pool) {
  *b = (blaster){.pool = pool, .is_exact = true};
  aig_init (&b->graph);
}

void blaster_release (blaster *b) {
  aig_release (&b->graph);
  vec_release (&b->first);
  vec_release (&b->bits);
  vec_release (&b->stack);
}

const aig_lit *blasted (const blaster *b, term t) {
  bool done = t.i < b->first.count && b->first.data[t.i];
  return done ? b->bits.data + b->first.data[t.i] - 1 : NULL;
}

// ---- leaves --------------------------------------------------------------------------------------------------------

static void blast_const (unsigned n, ir_value value, aig_lit *r) {
  for (unsigned i = 0; i < n; i++) r[i] = value >> i & 1 ? AIG_TRUE : AIG_FALSE;
}

static void blast_inputs (aig *g, unsigned n, aig_lit *r) {
  for (unsigned i = 0; i < n; i++) r[i] = aig_input (g);
}

// ---- operators on words --------------------------------------------------------------------------------------------

static void blast_bitwise (aig *g, ir_expr_op op, unsigned n, const aig_lit *x, const aig_lit *y, aig_lit *r) {
  for (unsigned i = 0; i < n; i++)
    r[i] = op == IR_X_AND ? aig_and (g, x[i], y[i]) : op == IR_X_OR ? aig_or (g, x[i], y[i]) : aig_xor (g, x[i], y[i]);
}

static void blast_divide (aig *g, ir_expr_op op, unsigned n, const aig_lit *x, const aig_lit *y, aig_lit *r) {
  aig_lit other[GATES_MAX_BITS];
  switch (op) {
  case IR_X_UDIV: gates_udiv (g, n, x, y, r, other); break;
  case IR_X_UREM: gates_udiv (g, n, x, y, other, r); break;
  case IR_X_SDIV: gates_sdiv (g, n, x, y, r, other); break;
  default: gates_sdiv (g, n, x, y, other, r); break;
  }
}

// A signed sum overflows if both operands have the same sign and the result has the other; a difference overflows if
// the operands have different signs and the result has the sign of the second operand.
static aig_lit blast_signed_sum_overflow (aig *g, bool subtract, unsigned n, const aig_lit *x, const aig_lit *y) {
  aig_lit sum[GATES_MAX_BITS];
  if (subtract) gates_sub (g, n, x, y, sum);
  else gates_add (g, n, x, y, AIG_FALSE, sum);
  aig_lit differ = aig_xor (g, x[n - 1], y[n - 1]), can = subtract ? differ : aig_not (differ);
  return aig_and (g, can, aig_xor (g, sum[n - 1], x[n - 1]));
}

static aig_lit blast_overflow (aig *g, ir_expr_op op, unsigned n, const aig_lit *x, const aig_lit *y) {
  aig_lit product[2 * GATES_MAX_BITS];
  switch (op) {
  case IR_X_SADDO: return blast_signed_sum_overflow (g, false, n, x, y);
  case IR_X_SSUBO: return blast_signed_sum_overflow (g, true, n, x, y);
  case IR_X_SMULO: return gates_smulo (g, n, x, y);
  case IR_X_UADDO: return gates_add (g, n, x, y, AIG_FALSE, product);
  case IR_X_USUBO: return gates_ult (g, n, x, y);
  default: gates_mul (g, n, x, y, 2 * n, product); return gates_any (g, n, product + n);  // UMULO
  }
}

static void blast_extend (unsigned n, const aig_lit *x, unsigned from, aig_lit filler, aig_lit *r) {
  for (unsigned i = 0; i < n; i++) r[i] = i < from ? x[i] : filler;
}

// Reverses the order of the groups of `group` bits.
static void blast_reverse (unsigned n, const aig_lit *x, unsigned group, aig_lit *r) {
  CHECK (n % group == 0, "bytes of a word of %u bits cannot be reversed", n);
  for (unsigned i = 0; i < n; i++) r[n - group - i / group * group + i % group] = x[i];
}

// ---- all -----------------------------------------------------------------------------------------------------------

static void blast_op (blaster *b, term t, aig_lit *r) {
  const term_node *node = term_at (b->pool, t);
  aig *g = &b->graph;
  unsigned n = node->bits, arity = ir_expr_arity (node->op), from = arity ? term_bits (b->pool, node->arg[0]) : 0;
  const aig_lit *x = arity > 0 ? blasted (b, node->arg[0]) : NULL, *y = arity > 1 ? blasted (b, node->arg[1]) : NULL;
  switch (node->op) {
  case IR_X_CONST: blast_const (n, node->value, r); break;
  case IR_X_REG: blast_inputs (g, n, r); break;
  case IR_X_ADD: gates_add (g, n, x, y, AIG_FALSE, r); break;
  case IR_X_SUB: gates_sub (g, n, x, y, r); break;
  case IR_X_MUL: gates_mul (g, n, x, y, n, r); break;
  case IR_X_UDIV:
  case IR_X_SDIV:
  case IR_X_UREM:
  case IR_X_SREM: blast_divide (g, node->op, n, x, y, r); break;
  case IR_X_SHL: gates_shift_by (g, SHIFT_UP, n, x, y, r); break;
  case IR_X_LSHR: gates_shift_by (g, SHIFT_DOWN, n, x, y, r); break;
  case IR_X_ASHR: gates_shift_by (g, SHIFT_DOWN_SIGNED, n, x, y, r); break;
  case IR_X_AND:
  case IR_X_OR:
  case IR_X_XOR: blast_bitwise (g, node->op, n, x, y, r); break;
  case IR_X_EQ: *r = gates_eq (g, from, x, y); break;
  case IR_X_NE: *r = aig_not (gates_eq (g, from, x, y)); break;
  case IR_X_ULT: *r = gates_ult (g, from, x, y); break;
  case IR_X_ULE: *r = aig_not (gates_ult (g, from, y, x)); break;
  case IR_X_SLT: *r = gates_slt (g, from, x, y); break;
  case IR_X_SLE: *r = aig_not (gates_slt (g, from, y, x)); break;
  case IR_X_ITE: gates_mux (g, n, *x, y, blasted (b, node->arg[2]), r); break;
  case IR_X_ZEXT:
  case IR_X_TRUNC: blast_extend (n, x, from, AIG_FALSE, r); break;
  case IR_X_SEXT: blast_extend (n, x, from, x[from - 1], r); break;
  case IR_X_SADDO:
  case IR_X_SSUBO:
  case IR_X_SMULO:
  case IR_X_UADDO:
  case IR_X_USUBO:
  case IR_X_UMULO: *r = blast_overflow (g, node->op, from, x, y); break;
  case IR_X_CTPOP: gates_popcount (g, n, x, r); break;
  case IR_X_CTLZ: gates_clz (g, n, x, r); break;
  case IR_X_CTTZ: gates_ctz (g, n, x, r); break;
  case IR_X_BSWAP: blast_reverse (n, x, 8, r); break;
  case IR_X_BITREV: blast_reverse (n, x, 1, r); break;
  case IR_X_FNEG:
    memcpy (r, x, sizeof *x * n);
    r[n - 1] = aig_not (x[n - 1]);
    break;
  case IR_X_FABS:
    memcpy (r, x, sizeof *x * n);
    r[n - 1] = AIG_FALSE;
    break;
  default:
    CHECK (term_op_is_inexact (node->op), "operator %d should be known to the blaster", node->op);
    b->is_exact = false;
    blast_inputs (g, n, r);
  }
}

// Returns whether all operands are translated, and pushes the others on the stack.
static bool operands_are_blasted (blaster *b, term t) {
  const term_node *n = term_at (b->pool, t);
  bool ready = true;
  if (term_op_is_inexact (n->op)) return true;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) {
    if (blasted (b, n->arg[k])) continue;
    vec_push (&b->stack, n->arg[k]);
    ready = false;
  }
  return ready;
}

static void blast_term (blaster *b, term t) {
  aig_lit r[GATES_MAX_BITS];
  cutoff_look ();
  blast_op (b, t, r);
  b->first.data[t.i] = b->bits.count + 1;
  for (unsigned i = 0; i < term_bits (b->pool, t); i++) vec_push (&b->bits, r[i]);
}

const aig_lit *blast (blaster *b, term t) {
  while (b->first.count < b->pool->nodes.count) vec_push (&b->first, 0);
  vec_push (&b->stack, t);
  while (b->stack.count) {
    term top = vec_last (&b->stack);
    if (!blasted (b, top)) {
      if (!operands_are_blasted (b, top)) continue;
      blast_term (b, top);
    }
    b->stack.count--;
  }
  return blasted (b, t);
}
