// Interning and sets against plain arrays of flags.
#include "base/idset.h"

#include "base/rng.h"
#include "base/test.h"

static void equal_strings_have_equal_numbers (void **state) {
  (void) state;
  intern t = {0};
  bool is_new = false;
  assert_int_equal (intern_add (&t, "one", 3, &is_new), 0);
  assert_true (is_new);
  assert_int_equal (intern_add (&t, "two", 3, NULL), 1);
  assert_int_equal (intern_add (&t, "one", 3, &is_new), 0);
  assert_false (is_new);
  assert_int_equal (intern_add (&t, "on", 2, NULL), 2);
  for (uint32_t k = 0; k < 1000; k++) assert_int_equal (intern_add (&t, &k, sizeof k, NULL), 3 + k);
  for (uint32_t k = 0; k < 1000; k++) assert_int_equal (intern_add (&t, &k, sizeof k, NULL), 3 + k);
  size_t count;
  assert_memory_equal (intern_get (&t, 1, &count), "two", 3);
  assert_int_equal (count, 3);
  intern_release (&t);
}

enum { MOST = 12 };

static uint32_t set_of (idsets *t, uint32_t flags) {
  uint32_t items[2 * MOST], count = 0;
  for (uint32_t k = MOST; k-- > 0;)
    if (flags >> k & 1) items[count++] = k, items[count++] = k;
  return idset_make (t, items, count);
}

static void sets_behave_like_flags (void **state) {
  (void) state;
  idsets t;
  idsets_init (&t);
  rng r = {7};
  for (int round = 0; round < 2000; round++) {
    uint32_t a = rng_below (&r, 1 << MOST), b = rng_below (&r, 1 << MOST), item = rng_below (&r, MOST);
    assert_int_equal (idset_unite (&t, set_of (&t, a), set_of (&t, b)), set_of (&t, a | b));
    assert_int_equal (idset_add (&t, set_of (&t, a), item), set_of (&t, a | 1u << item));
    assert_int_equal (idset_remove (&t, set_of (&t, a), item), set_of (&t, a & ~(1u << item)));
    assert_int_equal (idset_has (&t, set_of (&t, a), item), a >> item & 1);
    assert_int_equal (idset_within (&t, set_of (&t, a & b), set_of (&t, b)), true);
    assert_int_equal (idset_within (&t, set_of (&t, a), set_of (&t, b)), !(a & ~b));
  }
  assert_int_equal (set_of (&t, 0), IDSET_EMPTY);
  idsets_release (&t);
}

TEST_MAIN (cmocka_unit_test (equal_strings_have_equal_numbers), cmocka_unit_test (sets_behave_like_flags))
