// Both deciders of two quantifiers, against truth tables over three universals and three existentials.
#include "base/test.h"
#include "encode/table_test.h"
#include "engine/boolean/qbf.h"

static const budget no_limit = {0};

// The universals are inputs 0, 1, 2: the lower three bits of a place in the table.
static bool is_true (uint64_t table) {
  for (unsigned x = 0; x < 8; x++) {
    bool found = false;
    for (unsigned y = 0; y < 8; y++) found |= table >> (8 * y + x) & 1;
    if (!found) return false;
  }
  return true;
}

static void random_formulas (void **state) {
  (void) state;
  rng r = {1};
  unsigned count[2] = {0};
  for (int round = 0; round < 1500; round++) {
    qbf q;
    aig_lit x[TABLE_INPUTS];
    qbf_init (&q);
    for (int i = 0; i < TABLE_INPUTS; i++) x[i] = i < 3 ? qbf_universal (&q) : qbf_existential (&q);
    q.matrix = random_function (&r, &q.graph, x, TABLE_INPUTS, 5);
    if (rng_below (&r, 2)) q.matrix = aig_or (&q.graph, q.matrix, random_function (&r, &q.graph, x, TABLE_INPUTS, 3));
    bool expected = is_true (table_of (&q.graph, q.matrix));
    uint64_t rounds = 0;
    assert_int_equal (qbf_decide_by_depqbf (&q, &no_limit), expected ? SAT_YES : SAT_NO);
    assert_int_equal (qbf_decide (&q, &no_limit, &rounds), expected ? SAT_YES : SAT_NO);
    assert_true (rounds <= 9);  // each answer is good for one guess at least
    count[expected]++;
    qbf_release (&q);
  }
  assert_true (count[0] > 200 && count[1] > 200);
}

TEST_MAIN (cmocka_unit_test (random_formulas))
