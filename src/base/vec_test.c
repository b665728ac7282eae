// Vector against a plain array with a counter: the same random pushes and pops on both.
#include "base/vec.h"

#include <stdint.h>

#include "base/rng.h"
#include "base/test.h"

static void grows_and_keeps_elements (void **state) {
  (void) state;
  VEC (int) v = {0};
  for (int i = 0; i < 1000; i++) vec_push (&v, i * 3);
  assert_int_equal (v.count, 1000);
  assert_true (v.capacity >= 1000);
  for (int i = 0; i < 1000; i++) assert_int_equal (v.data[i], i * 3);
  assert_int_equal (vec_last (&v), 2997);
  vec_clear (&v);
  assert_int_equal (v.count, 0);
  vec_release (&v);
  assert_null (v.data);
}

static void reserve_takes_at_least_what_is_asked (void **state) {
  (void) state;
  VEC (uint64_t) v = {0};
  vec_reserve (&v, 37);
  assert_true (v.capacity >= 37);
  uint64_t *before = v.data;
  for (uint64_t i = 0; i < 37; i++) vec_push (&v, i);
  assert_ptr_equal (before, v.data);
  vec_release (&v);
}

static void what_is_prepended_comes_first (void **state) {
  (void) state;
  VEC (int) v = {0};
  vec_prepend (&v, ((int[]){0}), 0);
  assert_null (v.data);
  vec_prepend (&v, ((int[]){4, 5}), 2);
  for (int i = 6; i < 100; i++) vec_push (&v, i);
  vec_prepend (&v, ((int[]){1, 2, 3}), 3);
  assert_int_equal (v.count, 99);
  for (int i = 0; i < 99; i++) assert_int_equal (v.data[i], i + 1);
  vec_release (&v);
}

typedef struct three {
  char a, b, c;
} three;

static void random_against_array (void **state) {
  (void) state;
  enum { LIMIT = 4000 };
  static three model[LIMIT];
  uint32_t count = 0;
  VEC (three) v = {0};
  rng r = {1};
  for (int step = 0; step < 20000; step++) {
    uint32_t what = rng_below (&r, 100);
    if (what < 55 && count < LIMIT) {
      three x = {(char) rng_next (&r), (char) rng_next (&r), (char) rng_next (&r)};
      model[count++] = x;
      vec_push (&v, x);
    } else if (what < 99 && count) {
      three x = vec_pop (&v);
      assert_memory_equal (&x, &model[--count], sizeof x);
    } else if (what == 99 && rng_below (&r, 20) == 0) {
      vec_clear (&v);
      count = 0;
    }
    assert_int_equal (v.count, count);
    if (count) assert_memory_equal (v.data, model, count * sizeof *model);
  }
  vec_release (&v);
}

TEST_MAIN (cmocka_unit_test (grows_and_keeps_elements), cmocka_unit_test (reserve_takes_at_least_what_is_asked),
           cmocka_unit_test (what_is_prepended_comes_first), cmocka_unit_test (random_against_array))
