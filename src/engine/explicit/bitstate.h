// A set of hash values kept as bits: each value sets three bits, and a value counts as seen if all of its bits are set,
// even if other values have set them (Holzmann, "On limits and possibilities of automated protocol analysis", PSTV
// 1987; Bloom 1970).
#ifndef LOCKSTEP_EXPLICIT_BITSTATE_H
#define LOCKSTEP_EXPLICIT_BITSTATE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bit_table {
  uint64_t *words;             // [0..num_bits / 64[; NULL: not in use
  uint64_t num_bits, num_set;
} bit_table;

void bitstate_init (bit_table *, uint64_t bytes);
void bitstate_release (bit_table *);
bool bitstate_add (bit_table *, uint64_t hash);              // returns true if the value was not in the set
void bitstate_prefetch (const bit_table *, uint64_t hash);
double bitstate_mistaken (const bit_table *);  // share of new values that are at present mistaken for seen ones

#endif
