// Hash functions: functions of content only, and spread enough for tables that use their low bits.
#include "base/hash.h"

#include <string.h>

#include "base/rng.h"
#include "base/test.h"

static void depends_on_content_not_on_place (void **state) {
  (void) state;
  rng r = {5};
  for (int i = 0; i < 500; i++) {
    unsigned char one[256], two[300];
    size_t count = rng_below (&r, 256), shift = rng_below (&r, 40);
    for (size_t k = 0; k < count; k++) one[k] = two[shift + k] = (unsigned char) rng_next (&r);
    assert_true (hash_bytes (one, count, 1) == hash_bytes (two + shift, count, 1));
    if (!count) continue;
    uint64_t before = hash_bytes (one, count, 1);
    one[rng_below (&r, (uint32_t) count)] ^= (unsigned char) (1u << rng_below (&r, 8));
    assert_true (hash_bytes (one, count, 1) != before);
    assert_true (hash_bytes (one, count, 2) != hash_bytes (one, count, 1));
  }
}

// hash_u64 is a bijection (xor-shifts and odd multiplications), so distinct keys have distinct hashes.
static void distinct_keys_have_distinct_hashes (void **state) {
  (void) state;
  enum { KEYS = 3000 };
  static uint64_t hashes[KEYS];
  for (uint64_t i = 0; i < KEYS; i++) {
    hashes[i] = hash_u64 (i << (i % 50));
    for (uint64_t k = 0; k < i; k++)
      if (hashes[k] == hashes[i]) assert_true (i << (i % 50) == k << (k % 50));
  }
}

static void pairs_are_ordered (void **state) {
  (void) state;
  for (uint64_t a = 0; a < 60; a++)
    for (uint64_t b = 0; b < a; b++) assert_true (hash_pair (a, b) != hash_pair (b, a));
}

// Naive model: balls thrown at random into 256 buckets.  4096 of them give 16 each, and more than 48 in one is
// beyond eight standard deviations; consecutive keys and multiples of 4096 must not do worse.
static void low_bits_spread (void **state) {
  (void) state;
  const uint64_t strides[] = {1, 8, 64, 4096, (uint64_t) 1 << 32};
  for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
    int singles[256] = {0}, pairs[256] = {0};
    for (uint64_t i = 0; i < 4096; i++) {
      singles[hash_u64 (i * strides[s]) & 255]++;
      pairs[hash_pair (i * strides[s], 3) & 255]++;
    }
    for (int i = 0; i < 256; i++) {
      assert_in_range (singles[i], 0, 48);
      assert_in_range (pairs[i], 0, 48);
    }
  }
}

TEST_MAIN (cmocka_unit_test (depends_on_content_not_on_place), cmocka_unit_test (distinct_keys_have_distinct_hashes),
           cmocka_unit_test (pairs_are_ordered), cmocka_unit_test (low_bits_spread))
