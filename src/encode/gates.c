// Arithmetic as gates: ripple-carry adders, shift-and-add multipliers, restoring dividers, barrel shifters.  These are
// plain circuits, since constants and shared parts are simplified in the graph, and since SAT solvers do better on them
// than on circuits that are fast in hardware.
#include "encode/gates.h"

#include <string.h>

static aig_lit constant_literal (bool value) { return value ? AIG_TRUE : AIG_FALSE; }

static void fill_word (unsigned n, aig_lit x, aig_lit *r) {
  for (unsigned i = 0; i < n; i++) r[i] = x;
}

// ---- sums --------------------------------------------------------------------------------------------------------

aig_lit gates_add (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit carry, aig_lit *sum) {
  for (unsigned i = 0; i < n; i++) {
    aig_lit either = aig_xor (g, a[i], b[i]), both = aig_and (g, a[i], b[i]);
    sum[i] = aig_xor (g, either, carry);
    carry = aig_or (g, both, aig_and (g, either, carry));
  }
  return carry;
}

aig_lit gates_sub (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *difference) {
  aig_lit complement[GATES_MAX_BITS + 1] = {{0}};
  for (unsigned i = 0; i < n; i++) complement[i] = aig_not (b[i]);
  return gates_add (g, n, a, complement, AIG_TRUE, difference);
}

void gates_negate (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  aig_lit zero[GATES_MAX_BITS] = {{0}};
  gates_sub (g, n, zero, a, r);
}

void gates_mux (aig *g, unsigned n, aig_lit condition, const aig_lit *a, const aig_lit *b, aig_lit *r) {
  for (unsigned i = 0; i < n; i++) r[i] = aig_mux (g, condition, a[i], b[i]);
}

// ---- comparisons ---------------------------------------------------------------------------------------------------

aig_lit gates_any (aig *g, unsigned n, const aig_lit *a) {
  aig_lit r = AIG_FALSE;
  for (unsigned i = 0; i < n; i++) r = aig_or (g, r, a[i]);
  return r;
}

aig_lit gates_eq (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit r = AIG_TRUE;
  for (unsigned i = 0; i < n; i++) r = aig_and (g, r, aig_not (aig_xor (g, a[i], b[i])));
  return r;
}

// Compares from the lowest bit: the highest bit in which a and b differ determines the result.
aig_lit gates_ult (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit r = AIG_FALSE;
  for (unsigned i = 0; i < n; i++) r = aig_mux (g, aig_xor (g, a[i], b[i]), b[i], r);
  return r;
}

aig_lit gates_slt (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit below = gates_ult (g, n - 1, a, b);
  return aig_mux (g, aig_xor (g, a[n - 1], b[n - 1]), a[n - 1], below);
}

// ---- products ----------------------------------------------------------------------------------------------------

static unsigned zeros_in (unsigned n, const aig_lit *a) {
  unsigned zeros = 0;
  for (unsigned i = 0; i < n; i++) zeros += a[i].i == AIG_FALSE.i;
  return zeros;
}

// Adds a << i for each bit i of b that is set.  Rows for constant zeros cost nothing, so b should be the operand with
// more constant zeros.
void gates_mul (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, unsigned m, aig_lit *r) {
  if (zeros_in (n, a) > zeros_in (n, b)) {
    const aig_lit *t = a;
    a = b, b = t;
  }
  fill_word (m, AIG_FALSE, r);
  for (unsigned i = 0; i < n; i++) {
    if (b[i].i == AIG_FALSE.i) continue;
    unsigned width = i + n < m ? n : m - i;
    aig_lit row[GATES_MAX_BITS], sum[GATES_MAX_BITS];
    for (unsigned k = 0; k < width; k++) row[k] = aig_and (g, a[k], b[i]);
    aig_lit carry = gates_add (g, width, r + i, row, AIG_FALSE, sum);
    memcpy (r + i, sum, sizeof *sum * width);
    if (i + n < m) r[i + n] = carry;  // no earlier row has set this bit
  }
}

static void magnitude (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  aig_lit negated[GATES_MAX_BITS];
  gates_negate (g, n, a, negated);
  gates_mux (g, n, a[n - 1], negated, a, r);
}

// The product of the magnitudes is at most 2^(n-1) - 1, or 2^(n-1) if the signs differ.
aig_lit gates_smulo (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit x[GATES_MAX_BITS], y[GATES_MAX_BITS], product[2 * GATES_MAX_BITS];
  magnitude (g, n, a, x);
  magnitude (g, n, b, y);
  gates_mul (g, n, x, y, 2 * n, product);
  aig_lit beyond = gates_any (g, n, product + n), top = product[n - 1];
  aig_lit least = aig_and (g, aig_xor (g, a[n - 1], b[n - 1]), aig_not (gates_any (g, n - 1, product)));
  return aig_or (g, beyond, aig_and (g, top, aig_not (least)));
}

// Computes one bit of the quotient per row, highest first.  With b = 0 every row subtracts 0, so the quotient is all
// ones and the remainder is a.
void gates_udiv (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder) {
  aig_lit rest[GATES_MAX_BITS + 1], divisor[GATES_MAX_BITS + 1], less[GATES_MAX_BITS + 1];
  fill_word (n + 1, AIG_FALSE, rest);
  for (unsigned i = 0; i <= n; i++) divisor[i] = i < n ? b[i] : AIG_FALSE;
  for (unsigned i = n; i-- > 0;) {
    memmove (rest + 1, rest, sizeof *rest * n);
    rest[0] = a[i];
    quotient[i] = gates_sub (g, n + 1, rest, divisor, less);
    gates_mux (g, n + 1, quotient[i], less, rest, rest);
  }
  memcpy (remainder, rest, sizeof *rest * n);
}

// Divides the magnitudes.  The quotient is negative if the signs differ, the remainder is negative if a is.
void gates_sdiv (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder) {
  aig_lit x[GATES_MAX_BITS], y[GATES_MAX_BITS], q[GATES_MAX_BITS], r[GATES_MAX_BITS], negated[GATES_MAX_BITS];
  magnitude (g, n, a, x);
  magnitude (g, n, b, y);
  gates_udiv (g, n, x, y, q, r);
  gates_negate (g, n, q, negated);
  gates_mux (g, n, aig_xor (g, a[n - 1], b[n - 1]), negated, q, quotient);
  aig_lit by_zero = aig_not (gates_any (g, n, b));
  for (unsigned i = 0; i < n; i++) quotient[i] = aig_or (g, by_zero, quotient[i]);
  gates_negate (g, n, r, negated);
  gates_mux (g, n, a[n - 1], negated, r, remainder);
}

// ---- shifts and counts ---------------------------------------------------------------------------------------------

static aig_lit moved_bit (gates_shift kind, unsigned n, const aig_lit *a, unsigned i, unsigned by, aig_lit filler) {
  if (kind == SHIFT_UP) return i >= by ? a[i - by] : filler;
  return i + by < n ? a[i + by] : filler;
}

void gates_shift_by (aig *g, gates_shift kind, unsigned n, const aig_lit *a, const aig_lit *amount, aig_lit *r) {
  aig_lit filler = kind == SHIFT_DOWN_SIGNED ? a[n - 1] : AIG_FALSE, moved[GATES_MAX_BITS];
  unsigned stage = 0;
  memcpy (r, a, sizeof *a * n);
  for (; 1u << stage < n; stage++) {
    for (unsigned i = 0; i < n; i++) moved[i] = moved_bit (kind, n, r, i, 1u << stage, filler);
    gates_mux (g, n, amount[stage], moved, r, r);
  }
  aig_lit beyond = gates_any (g, n - stage, amount + stage);
  for (unsigned i = 0; i < n; i++) r[i] = aig_mux (g, beyond, filler, r[i]);
}

void gates_popcount (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  fill_word (n, AIG_FALSE, r);
  for (unsigned i = 0; i < n; i++) {
    aig_lit carry = a[i];
    for (unsigned k = 0; k < n && carry.i != AIG_FALSE.i && 1u << k <= i + 1; k++) {
      aig_lit sum = aig_xor (g, r[k], carry);
      carry = aig_and (g, r[k], carry);
      r[k] = sum;
    }
  }
}

// r = bit ? value : r
static void choose_constant (aig *g, unsigned n, aig_lit bit, unsigned value, aig_lit *r) {
  for (unsigned k = 0; k < n; k++) r[k] = aig_mux (g, bit, constant_literal (k < 32 && value >> k & 1), r[k]);
}

void gates_clz (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  for (unsigned k = 0; k < n; k++) r[k] = constant_literal (k < 32 && n >> k & 1);
  for (unsigned i = 0; i < n; i++) choose_constant (g, n, a[i], n - 1 - i, r);
}

void gates_ctz (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  for (unsigned k = 0; k < n; k++) r[k] = constant_literal (k < 32 && n >> k & 1);
  for (unsigned i = n; i-- > 0;) choose_constant (g, n, a[i], i, r);
}
