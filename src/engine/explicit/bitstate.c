// Three bits per state (SPIN's default too): with fewer a chance hit is too likely, with more the table fills too soon.
#include "engine/explicit/bitstate.h"

#include "base/hash.h"
#include "base/memory.h"

enum { NUM_HASHES = 3 };

void bitstate_init (bit_table *t, uint64_t bytes) {
  uint64_t words = bytes / sizeof (uint64_t) ? bytes / sizeof (uint64_t) : 1;
  *t = (bit_table){.words = mem_zalloc (words * sizeof (uint64_t)), .num_bits = words * 64};
}

void bitstate_release (bit_table *t) { mem_free (t->words, t->num_bits / 8); }

// Returns the index of the k-th bit of a hash value.
static uint64_t bit_of (const bit_table *t, uint64_t hash, uint32_t k) {
  uint64_t mixed = hash_pair (hash, k);
  return (uint64_t) ((unsigned __int128) mixed * t->num_bits >> 64);
}

bool bitstate_add (bit_table *t, uint64_t hash) {
  bool is_new = false;
  for (uint32_t k = 0; k < NUM_HASHES; k++) {
    uint64_t at = bit_of (t, hash, k), bit = 1ull << (at % 64), *word = &t->words[at / 64];
    if (*word & bit) continue;
    *word |= bit;
    t->num_set++;
    is_new = true;
  }
  return is_new;
}

void bitstate_prefetch (const bit_table *t, uint64_t hash) {
  for (uint32_t k = 0; k < NUM_HASHES; k++) __builtin_prefetch (&t->words[bit_of (t, hash, k) / 64], 1);
}

double bitstate_mistaken (const bit_table *t) {
  double share = 1, full = (double) t->num_set / (double) t->num_bits;
  for (uint32_t k = 0; k < NUM_HASHES; k++) share *= full;
  return share;
}
