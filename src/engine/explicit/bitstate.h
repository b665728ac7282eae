// A set of hash values kept as bits: each value sets a few of them, and counts as seen when all of its bits are set already, be it by others
// (Holzmann, "On limits and possibilities of automated protocol analysis", PSTV 1987; Bloom 1970).
#ifndef LOCKSTEP_EXPLICIT_BITSTATE_H
#define LOCKSTEP_EXPLICIT_BITSTATE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bit_table {
  uint64_t *words;             // [0..num_bits / 64[; NULL: not in use
  uint64_t num_bits, num_set;
} bit_table;

void bits_init (bit_table *, uint64_t bytes);
void bits_release (bit_table *);
bool bits_add (bit_table *, uint64_t hash);              // true: it was not there
void bits_prefetch (const bit_table *, uint64_t hash);
double bits_mistaken (const bit_table *);                // share of new values that are now taken for seen ones

#endif
