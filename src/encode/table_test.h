// For tests: truth tables of literals over the first six inputs of a graph, and random functions of them.
#ifndef LOCKSTEP_TABLE_TEST_H
#define LOCKSTEP_TABLE_TEST_H

#include "base/rng.h"
#include "encode/aig.h"

enum { TABLE_INPUTS = 6 };

// Returns the truth table of a literal: bit i is its value if input k is bit k of i.
static inline uint64_t table_of (const aig *g, aig_lit x) {
  static const uint64_t input[TABLE_INPUTS] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                               0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  VEC (uint64_t) table = {0};
  for (uint32_t i = 0; i <= x.i / 2; i++) {
    aig_node n = g->nodes.data[i];
    uint64_t value = 0;
    if (i && aig_is_input (g, i)) value = input[n.right.i % TABLE_INPUTS];
    else if (i)
      value = (table.data[n.left.i / 2] ^ -(uint64_t) (n.left.i & 1)) &
              (table.data[n.right.i / 2] ^ -(uint64_t) (n.right.i & 1));
    vec_push (&table, value);
  }
  uint64_t result = table.data[x.i / 2] ^ -(uint64_t) (x.i & 1);
  vec_release (&table);
  return result;
}

static inline aig_lit random_function (rng *r, aig *g, const aig_lit *leaves, uint32_t count, unsigned height) {
  if (!height || !rng_below (r, 5)) return (aig_lit){leaves[rng_below (r, count)].i ^ rng_below (r, 2)};
  aig_lit a = random_function (r, g, leaves, count, height - 1), b = random_function (r, g, leaves, count, height - 1);
  return rng_below (r, 3) ? aig_and (g, a, b) : aig_xor (g, a, b);
}

#endif
