// Arithmetic as gates: ripple-carry adders, shift-and-add multipliers, restoring dividers, barrel shifters.  Plain circuits, since constants
// and shared parts fold away in the graph, and since SAT solvers do better on them than on fast hardware.
#include "encode/circuit.h"

#include <string.h>

static aig_lit constant (bool value) { return value ? AIG_TRUE : AIG_FALSE; }

static void fill (unsigned n, aig_lit x, aig_lit *r) {
  for (unsigned i = 0; i < n; i++) r[i] = x;
}

// ---- sums --------------------------------------------------------------------------------------------------------

aig_lit circuit_add (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit carry, aig_lit *sum) {
  for (unsigned i = 0; i < n; i++) {
    aig_lit either = aig_xor (g, a[i], b[i]), both = aig_and (g, a[i], b[i]);
    sum[i] = aig_xor (g, either, carry);
    carry = aig_or (g, both, aig_and (g, either, carry));
  }
  return carry;
}

aig_lit circuit_sub (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *difference) {
  aig_lit complement[CIRCUIT_MAX_BITS + 1] = {{0}};
  for (unsigned i = 0; i < n; i++) complement[i] = aig_not (b[i]);
  return circuit_add (g, n, a, complement, AIG_TRUE, difference);
}

void circuit_negate (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  aig_lit zero[CIRCUIT_MAX_BITS] = {{0}};
  circuit_sub (g, n, zero, a, r);
}

void circuit_mux (aig *g, unsigned n, aig_lit condition, const aig_lit *a, const aig_lit *b, aig_lit *r) {
  for (unsigned i = 0; i < n; i++) r[i] = aig_mux (g, condition, a[i], b[i]);
}

// ---- comparisons ---------------------------------------------------------------------------------------------------

aig_lit circuit_any (aig *g, unsigned n, const aig_lit *a) {
  aig_lit r = AIG_FALSE;
  for (unsigned i = 0; i < n; i++) r = aig_or (g, r, a[i]);
  return r;
}

aig_lit circuit_eq (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit r = AIG_TRUE;
  for (unsigned i = 0; i < n; i++) r = aig_and (g, r, aig_not (aig_xor (g, a[i], b[i])));
  return r;
}

// The highest bit in which they differ decides.
aig_lit circuit_ult (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit r = AIG_FALSE;
  for (unsigned i = 0; i < n; i++) r = aig_mux (g, aig_xor (g, a[i], b[i]), b[i], r);
  return r;
}

aig_lit circuit_slt (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit below = circuit_ult (g, n - 1, a, b);
  return aig_mux (g, aig_xor (g, a[n - 1], b[n - 1]), a[n - 1], below);
}

// ---- products ----------------------------------------------------------------------------------------------------

static unsigned zeros_in (unsigned n, const aig_lit *a) {
  unsigned zeros = 0;
  for (unsigned i = 0; i < n; i++) zeros += a[i].i == AIG_FALSE.i;
  return zeros;
}

// Adds a << i for each bit i of b that is set; rows of constant zeros cost nothing, so b is the operand with more of them.
void circuit_mul (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, unsigned m, aig_lit *r) {
  if (zeros_in (n, a) > zeros_in (n, b)) {
    const aig_lit *t = a;
    a = b, b = t;
  }
  fill (m, AIG_FALSE, r);
  for (unsigned i = 0; i < n; i++) {
    if (b[i].i == AIG_FALSE.i) continue;
    unsigned width = i + n < m ? n : m - i;
    aig_lit row[CIRCUIT_MAX_BITS], sum[CIRCUIT_MAX_BITS];
    for (unsigned k = 0; k < width; k++) row[k] = aig_and (g, a[k], b[i]);
    aig_lit carry = circuit_add (g, width, r + i, row, AIG_FALSE, sum);
    memcpy (r + i, sum, sizeof *sum * width);
    if (i + n < m) r[i + n] = carry;  // the first to reach this bit
  }
}

static void magnitude (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  aig_lit negated[CIRCUIT_MAX_BITS];
  circuit_negate (g, n, a, negated);
  circuit_mux (g, n, a[n - 1], negated, a, r);
}

// The product of the magnitudes is at most 2^(n-1) - 1, or 2^(n-1) if the signs differ.
aig_lit circuit_smulo (aig *g, unsigned n, const aig_lit *a, const aig_lit *b) {
  aig_lit x[CIRCUIT_MAX_BITS], y[CIRCUIT_MAX_BITS], product[2 * CIRCUIT_MAX_BITS];
  magnitude (g, n, a, x);
  magnitude (g, n, b, y);
  circuit_mul (g, n, x, y, 2 * n, product);
  aig_lit beyond = circuit_any (g, n, product + n), top = product[n - 1];
  aig_lit least = aig_and (g, aig_xor (g, a[n - 1], b[n - 1]), aig_not (circuit_any (g, n - 1, product)));
  return aig_or (g, beyond, aig_and (g, top, aig_not (least)));
}

// One bit of the quotient per row, highest first.  With b = 0 every row subtracts nothing: ones, and a itself remains.
void circuit_udiv (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder) {
  aig_lit rest[CIRCUIT_MAX_BITS + 1], divisor[CIRCUIT_MAX_BITS + 1], less[CIRCUIT_MAX_BITS + 1];
  fill (n + 1, AIG_FALSE, rest);
  for (unsigned i = 0; i <= n; i++) divisor[i] = i < n ? b[i] : AIG_FALSE;
  for (unsigned i = n; i-- > 0;) {
    memmove (rest + 1, rest, sizeof *rest * n);
    rest[0] = a[i];
    quotient[i] = circuit_sub (g, n + 1, rest, divisor, less);
    circuit_mux (g, n + 1, quotient[i], less, rest, rest);
  }
  memcpy (remainder, rest, sizeof *rest * n);
}

// By magnitudes: the quotient is negative if the signs differ, the remainder if a is.
void circuit_sdiv (aig *g, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder) {
  aig_lit x[CIRCUIT_MAX_BITS], y[CIRCUIT_MAX_BITS], q[CIRCUIT_MAX_BITS], r[CIRCUIT_MAX_BITS], negated[CIRCUIT_MAX_BITS];
  magnitude (g, n, a, x);
  magnitude (g, n, b, y);
  circuit_udiv (g, n, x, y, q, r);
  circuit_negate (g, n, q, negated);
  circuit_mux (g, n, aig_xor (g, a[n - 1], b[n - 1]), negated, q, quotient);
  aig_lit by_zero = aig_not (circuit_any (g, n, b));
  for (unsigned i = 0; i < n; i++) quotient[i] = aig_or (g, by_zero, quotient[i]);
  circuit_negate (g, n, r, negated);
  circuit_mux (g, n, a[n - 1], negated, r, remainder);
}

// ---- shifts and counts ---------------------------------------------------------------------------------------------

static aig_lit moved_bit (circuit_shift kind, unsigned n, const aig_lit *a, unsigned i, unsigned by, aig_lit filler) {
  if (kind == SHIFT_UP) return i >= by ? a[i - by] : filler;
  return i + by < n ? a[i + by] : filler;
}

void circuit_shift_by (aig *g, circuit_shift kind, unsigned n, const aig_lit *a, const aig_lit *amount, aig_lit *r) {
  aig_lit filler = kind == SHIFT_DOWN_SIGNED ? a[n - 1] : AIG_FALSE, moved[CIRCUIT_MAX_BITS];
  unsigned stage = 0;
  memcpy (r, a, sizeof *a * n);
  for (; 1u << stage < n; stage++) {
    for (unsigned i = 0; i < n; i++) moved[i] = moved_bit (kind, n, r, i, 1u << stage, filler);
    circuit_mux (g, n, amount[stage], moved, r, r);
  }
  aig_lit beyond = circuit_any (g, n - stage, amount + stage);
  for (unsigned i = 0; i < n; i++) r[i] = aig_mux (g, beyond, filler, r[i]);
}

void circuit_popcount (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  fill (n, AIG_FALSE, r);
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
  for (unsigned k = 0; k < n; k++) r[k] = aig_mux (g, bit, constant (k < 32 && value >> k & 1), r[k]);
}

void circuit_clz (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  for (unsigned k = 0; k < n; k++) r[k] = constant (k < 32 && n >> k & 1);
  for (unsigned i = 0; i < n; i++) choose_constant (g, n, a[i], n - 1 - i, r);
}

void circuit_ctz (aig *g, unsigned n, const aig_lit *a, aig_lit *r) {
  for (unsigned k = 0; k < n; k++) r[k] = constant (k < 32 && n >> k & 1);
  for (unsigned i = n; i-- > 0;) choose_constant (g, n, a[i], i, r);
}
