// Arithmetic as gates.  Words are arrays of literals, lowest bit first, of `n` bits unless said otherwise.
// Results may not overlap operands, except those of gates_mux.
#ifndef LOCKSTEP_GATES_H
#define LOCKSTEP_GATES_H

#include "encode/aig.h"

enum { GATES_MAX_BITS = 128 };
typedef enum gates_shift { SHIFT_UP, SHIFT_DOWN, SHIFT_DOWN_SIGNED } gates_shift;

// Returns the carry out.
aig_lit gates_add (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit carry, aig_lit *sum);
// Returns whether a >= b.
aig_lit gates_sub (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *difference);
void gates_negate (aig *, unsigned n, const aig_lit *a, aig_lit *r);
void gates_mux (aig *, unsigned n, aig_lit condition, const aig_lit *a, const aig_lit *b, aig_lit *r);
aig_lit gates_any (aig *, unsigned n, const aig_lit *a);                          // some bit is set
aig_lit gates_eq (aig *, unsigned n, const aig_lit *a, const aig_lit *b);
aig_lit gates_ult (aig *, unsigned n, const aig_lit *a, const aig_lit *b);
aig_lit gates_slt (aig *, unsigned n, const aig_lit *a, const aig_lit *b);
// Computes the low m bits of the product, n <= m <= 2n.
void gates_mul (aig *, unsigned n, const aig_lit *a, const aig_lit *b, unsigned m, aig_lit *r);
// a/0 is all ones, a%0 is a.
void gates_udiv (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder);
void gates_sdiv (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder);
aig_lit gates_smulo (aig *, unsigned n, const aig_lit *a, const aig_lit *b);      // does the signed product overflow?
void gates_shift_by (aig *, gates_shift, unsigned n, const aig_lit *a, const aig_lit *amount, aig_lit *r);
void gates_popcount (aig *, unsigned n, const aig_lit *a, aig_lit *r);
// Counts the zeros above the highest one bit; n if there is none.
void gates_clz (aig *, unsigned n, const aig_lit *a, aig_lit *r);
void gates_ctz (aig *, unsigned n, const aig_lit *a, aig_lit *r);

#endif
