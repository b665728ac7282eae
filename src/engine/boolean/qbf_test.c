// Compares both deciders of two quantifiers with truth tables over three universals and three existentials.
#include "base/test.h"
#include "encode/table_test.h"
#include "engine/boolean/qbf.h"

static const budget no_limit = {0};

// The universals are inputs 0, 1, 2: the lower three bits of a position in the table.
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
    sat_answer by_table = SAT_STOPPED;
    assert_true (qbf_decide_by_table (&q, &by_table));
    assert_int_equal (by_table, expected ? SAT_YES : SAT_NO);
    assert_int_equal (qbf_decide_by_depqbf (&q, &no_limit), expected ? SAT_YES : SAT_NO);
    assert_int_equal (qbf_decide (&q, &no_limit, &rounds), expected ? SAT_YES : SAT_NO);
    assert_true (rounds <= 9);  // each answer excludes at least one guess
    count[expected]++;
    qbf_release (&q);
  }
  assert_true (count[0] > 200 && count[1] > 200);
}

// Tables of one word, of many, and too large ones: up to 17 variables, universals and existentials mixed.
static void tables_and_guesses_agree (void **state) {
  (void) state;
  rng r = {2};
  unsigned decided[2] = {0};
  for (int round = 0; round < 600; round++) {
    qbf q;
    aig_lit x[17];
    uint32_t inputs = 1 + rng_below (&r, 17);
    qbf_init (&q);
    for (uint32_t i = 0; i < inputs; i++) x[i] = rng_below (&r, 2) ? qbf_universal (&q) : qbf_existential (&q);
    q.matrix = random_function (&r, &q.graph, x, inputs, 6);
    for (uint32_t i = 0; i < inputs; i += 2)
      q.matrix = aig_or (&q.graph, q.matrix, aig_xor (&q.graph, x[i], x[(i + 1) % inputs]));
    sat_answer by_table = SAT_STOPPED;
    uint64_t rounds = 0;
    bool small = qbf_decide_by_table (&q, &by_table);
    assert_true (small || inputs > 15);
    if (small) assert_int_equal (by_table, qbf_decide (&q, &no_limit, &rounds));
    if (small) decided[by_table == SAT_YES]++;
    qbf_release (&q);
  }
  assert_true (decided[0] > 30 && decided[1] > 30);
}

TEST_MAIN (cmocka_unit_test (tables_and_guesses_agree), cmocka_unit_test (random_formulas))
