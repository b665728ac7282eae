// Maps against a linear list: find, insert, clear, and the order of insertion.
#include "base/map.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"

static void empty_map_finds_nothing (void **state) {
  (void) state;
  map m = {0};
  assert_null (map_find (&m, 0));
  assert_null (map_find (&m, 17));
  map_clear (&m);
  map_release (&m);
  strmap s = {0};
  assert_null (strmap_find (&s, ""));
  strmap_release (&s);
}

static void insert_keeps_the_old_value (void **state) {
  (void) state;
  map m = {0};
  bool is_new = false;
  assert_int_equal (*map_insert (&m, 5, 50, &is_new), 50);
  assert_true (is_new);
  assert_int_equal (*map_insert (&m, 5, 51, &is_new), 50);
  assert_false (is_new);
  *map_find (&m, 5) = 52;
  assert_int_equal (*map_insert (&m, 5, 53, NULL), 52);
  assert_int_equal (m.entries.count, 1);
  map_release (&m);
}

static const map_entry *naive_find (const map_entry *model, uint32_t count, uint64_t key) {
  for (uint32_t i = 0; i < count; i++)
    if (model[i].key == key) return &model[i];
  return NULL;
}

static void random_against_list (void **state) {
  (void) state;
  enum { LIMIT = 1500 };
  static map_entry model[LIMIT];
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint32_t count = 0;
    map m = {0};
    rng r = {seed};
    for (int step = 0; step < 4000; step++) {
      uint64_t key = rng_below (&r, 2) ? rng_below (&r, 900) : rng_below (&r, 500) * 0x100000001u;
      uint64_t value = rng_next (&r);
      const map_entry *known = naive_find (model, count, key);
      if (rng_below (&r, 3)) {
        bool is_new;
        uint64_t *at = map_insert (&m, key, value, &is_new);
        assert_int_equal (is_new, !known);
        assert_int_equal (*at, known ? known->value : value);
        if (!known) model[count++] = (map_entry){key, value};
      } else {
        uint64_t *at = map_find (&m, key);
        if (known) assert_int_equal (*at, known->value);
        else assert_null (at);
      }
      if (rng_below (&r, 1000) == 0) {
        map_clear (&m);
        count = 0;
      }
      assert_int_equal (m.entries.count, count);
    }
    for (uint32_t i = 0; i < count; i++) assert_memory_equal (&m.entries.data[i], &model[i], sizeof *model);
    map_release (&m);
  }
}

static void random_strings_against_list (void **state) {
  (void) state;
  enum { LIMIT = 1000, LENGTH = 16 };
  static char keys[LIMIT][LENGTH];
  static uint64_t values[LIMIT];
  uint32_t count = 0;
  strmap m = {0};
  rng r = {3};
  for (int step = 0; step < 6000; step++) {
    char key[LENGTH];
    snprintf (key, sizeof key, "%.*s%u", (int) rng_below (&r, 4), "abcd", rng_below (&r, 240));
    uint32_t known = 0;
    while (known < count && strcmp (keys[known], key)) known++;
    if (rng_below (&r, 2)) {
      bool is_new;
      uint64_t value = rng_next (&r);
      uint64_t *at = strmap_insert (&m, key, value, &is_new);
      assert_int_equal (is_new, known == count);
      if (is_new) {
        strcpy (keys[count], key);
        values[count++] = value;
      }
      assert_int_equal (*at, values[known]);
    } else if (known == count) assert_null (strmap_find (&m, key));
    else assert_int_equal (*strmap_find (&m, key), values[known]);
  }
  assert_int_equal (m.entries.count, count);
  for (uint32_t i = 0; i < count; i++) assert_string_equal (m.entries.data[i].key, keys[i]);
  strmap_release (&m);
}

TEST_MAIN (cmocka_unit_test (empty_map_finds_nothing), cmocka_unit_test (insert_keeps_the_old_value),
           cmocka_unit_test (random_against_list), cmocka_unit_test (random_strings_against_list))
