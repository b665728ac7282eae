// Arithmetic as gates.  Words are arrays of literals, lowest bit first, of `n` bits unless said otherwise.
// Results may not overlap operands, except those of circuit_mux.
#ifndef LOCKSTEP_CIRCUIT_H
#define LOCKSTEP_CIRCUIT_H

#include "encode/aig.h"

enum { CIRCUIT_MAX_BITS = 128 };
typedef enum circuit_shift { SHIFT_UP, SHIFT_DOWN, SHIFT_DOWN_SIGNED } circuit_shift;

aig_lit circuit_add (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit carry, aig_lit *sum);  // returns the carry out
aig_lit circuit_sub (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *difference);          // returns a >= b
void circuit_negate (aig *, unsigned n, const aig_lit *a, aig_lit *r);
void circuit_mux (aig *, unsigned n, aig_lit condition, const aig_lit *a, const aig_lit *b, aig_lit *r);
aig_lit circuit_any (aig *, unsigned n, const aig_lit *a);                          // some bit is set
aig_lit circuit_eq (aig *, unsigned n, const aig_lit *a, const aig_lit *b);
aig_lit circuit_ult (aig *, unsigned n, const aig_lit *a, const aig_lit *b);
aig_lit circuit_slt (aig *, unsigned n, const aig_lit *a, const aig_lit *b);
void circuit_mul (aig *, unsigned n, const aig_lit *a, const aig_lit *b, unsigned m, aig_lit *r);  // the low m bits, n <= m <= 2n
void circuit_udiv (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder);  // a/0: ones, a%0: a
void circuit_sdiv (aig *, unsigned n, const aig_lit *a, const aig_lit *b, aig_lit *quotient, aig_lit *remainder);
aig_lit circuit_smulo (aig *, unsigned n, const aig_lit *a, const aig_lit *b);      // does the signed product overflow?
void circuit_shift_by (aig *, circuit_shift, unsigned n, const aig_lit *a, const aig_lit *amount, aig_lit *r);
void circuit_popcount (aig *, unsigned n, const aig_lit *a, aig_lit *r);
void circuit_clz (aig *, unsigned n, const aig_lit *a, aig_lit *r);                 // zeros above the highest one; n if there is none
void circuit_ctz (aig *, unsigned n, const aig_lit *a, aig_lit *r);

#endif
