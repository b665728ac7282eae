// The set of bits: it contains every added value, and the share of new values mistaken for seen ones is as predicted.
#include "engine/explicit/bitstate.h"

#include "base/rng.h"
#include "base/test.h"

static void nothing_is_forgotten (void **unused) {
  (void) unused;
  bit_table t;
  bitstate_init (&t, 1 << 16);
  for (uint64_t k = 0; k < 5000; k++) bitstate_add (&t, k * k);
  for (uint64_t k = 0; k < 5000; k++) assert_false (bitstate_add (&t, k * k));
  assert_true (t.num_set <= 15000);
  bitstate_release (&t);
}

// 2^19 bits, 100,000 values with 300,000 bits: about 44 % of the bits are set, so 8 or 9 % of further values find all
// their bits set by chance.
static void mistakes_are_predicted (void **unused) {
  (void) unused;
  bit_table t;
  rng r = {11};
  bitstate_init (&t, 1 << 16);
  assert_true (bitstate_mistaken (&t) == 0);
  for (uint32_t k = 0; k < 100000; k++) bitstate_add (&t, rng_next (&r));
  double predicted = bitstate_mistaken (&t);
  assert_true (predicted > 0.07 && predicted < 0.10);
  uint32_t mistaken = 0;
  for (uint32_t k = 0; k < 2000; k++) mistaken += !bitstate_add (&t, rng_next (&r));
  assert_true (mistaken > 2000 * predicted * 0.7 && mistaken < 2000 * predicted * 1.4);
  bitstate_release (&t);
}

static void a_tiny_table_works (void **unused) {
  (void) unused;
  bit_table t;
  bitstate_init (&t, 1);
  uint32_t seen_as_new = 0;
  for (uint64_t k = 0; k < 1000; k++) seen_as_new += bitstate_add (&t, k);
  assert_int_equal (t.num_set, 64);
  assert_true (seen_as_new >= 22 && seen_as_new <= 64);
  assert_true (bitstate_mistaken (&t) == 1);
  bitstate_release (&t);
}

TEST_MAIN (cmocka_unit_test (nothing_is_forgotten), cmocka_unit_test (mistakes_are_predicted),
           cmocka_unit_test (a_tiny_table_works))
