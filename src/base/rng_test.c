// Random numbers: the published sequence of splitmix64, the same after every start, and bounds kept.
#include "base/rng.h"

#include "base/test.h"

// First outputs of splitmix64 from state 0 and 1234567, as in its authors' reference code (Steele, Lea, Flood 2014).
static void known_sequence (void **state) {
  (void) state;
  rng r = {0};
  assert_true (rng_next (&r) == 0xE220A8397B1DCDAFu);
  assert_true (rng_next (&r) == 0x6E789E6AA1B965F4u);
  assert_true (rng_next (&r) == 0x06C45D188009454Fu);
  rng s = {1234567};
  assert_true (rng_next (&s) == 6457827717110365317u);
  assert_true (rng_next (&s) == 3203168211198807973u);
}

static void below_keeps_its_bound_and_reaches_all (void **state) {
  (void) state;
  rng r = {42};
  for (uint32_t bound = 1; bound < 40; bound++) {
    uint64_t seen = 0;
    for (int i = 0; i < 2000; i++) {
      uint32_t x = rng_below (&r, bound);
      assert_true (x < bound);
      seen |= (uint64_t) 1 << x;
    }
    assert_true (seen == ((uint64_t) 1 << bound) - 1);
  }
  for (int i = 0; i < 1000; i++) assert_true (rng_below (&r, UINT32_MAX) < UINT32_MAX);
}

// Naive model: bucket counts of a fair die.  Five standard deviations of 60000/6 are about 456.
static void below_is_fair (void **state) {
  (void) state;
  rng r = {9};
  int buckets[6] = {0};
  for (int i = 0; i < 60000; i++) buckets[rng_below (&r, 6)]++;
  for (int i = 0; i < 6; i++) assert_in_range (buckets[i], 10000 - 456, 10000 + 456);
}

TEST_MAIN (cmocka_unit_test (known_sequence), cmocka_unit_test (below_keeps_its_bound_and_reaches_all),
           cmocka_unit_test (below_is_fair))
