// The set of bits: what was put in is there; how many new values are taken for seen ones is as predicted.
#include "engine/explicit/bitstate.h"

#include "base/rng.h"
#include "base/test.h"

static void nothing_is_forgotten (void **unused) {
  (void) unused;
  bit_table t;
  bits_init (&t, 1 << 16);
  for (uint64_t k = 0; k < 5000; k++) bits_add (&t, k * k);
  for (uint64_t k = 0; k < 5000; k++) assert_false (bits_add (&t, k * k));
  assert_true (t.num_set <= 15000);
  bits_release (&t);
}

// 2^19 bits, 100,000 values: 300,000 bits are asked for, about 44 % are set, so 8 or 9 % of further values hit by chance.
static void mistakes_are_predicted (void **unused) {
  (void) unused;
  bit_table t;
  rng r = {11};
  bits_init (&t, 1 << 16);
  assert_true (bits_mistaken (&t) == 0);
  for (uint32_t k = 0; k < 100000; k++) bits_add (&t, rng_next (&r));
  double predicted = bits_mistaken (&t);
  assert_true (predicted > 0.07 && predicted < 0.10);
  uint32_t mistaken = 0;
  for (uint32_t k = 0; k < 2000; k++) mistaken += !bits_add (&t, rng_next (&r));
  assert_true (mistaken > 2000 * predicted * 0.7 && mistaken < 2000 * predicted * 1.4);
  bits_release (&t);
}

static void a_tiny_table_works (void **unused) {
  (void) unused;
  bit_table t;
  bits_init (&t, 1);
  uint32_t seen_as_new = 0;
  for (uint64_t k = 0; k < 1000; k++) seen_as_new += bits_add (&t, k);
  assert_int_equal (t.num_set, 64);
  assert_true (seen_as_new >= 22 && seen_as_new <= 64);
  assert_true (bits_mistaken (&t) == 1);
  bits_release (&t);
}

TEST_MAIN (cmocka_unit_test (nothing_is_forgotten), cmocka_unit_test (mistakes_are_predicted),
           cmocka_unit_test (a_tiny_table_works))
