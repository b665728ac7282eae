// The store against naive copies: every component and state is kept once and comes back as it was.
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "engine/explicit/explicit_impl.h"

enum { TUPLES = 5000, WIDTH = 9 };

static void components_are_kept_once (void **unused) {
  (void) unused;
  store s;
  store_init (&s);
  rng r = {7};
  uint8_t kept[3000][40];
  uint32_t size[3000], id[3000];
  for (uint32_t k = 0; k < 3000; k++) {
    size[k] = rng_below (&r, 40);
    for (uint32_t i = 0; i < size[k]; i++) kept[k][i] = (uint8_t) rng_below (&r, 3);
    id[k] = store_intern (&s, kept[k], size[k]);
    assert_int_not_equal (id[k], 0);
  }
  for (uint32_t k = 0; k < 3000; k++) {
    uint32_t found;
    const uint8_t *bytes = store_component (&s, id[k], &found);
    assert_int_equal (found, size[k]);
    assert_memory_equal (bytes, kept[k], size[k]);
    assert_int_equal (store_intern (&s, kept[k], size[k]), id[k]);
  }
  store_release (&s);
}

static void trailing_zeros_do_not_count (void **unused) {
  (void) unused;
  store s;
  store_init (&s);
  uint32_t shorter[] = {3, 0, 4}, longer[] = {3, 0, 4, 0, 0};
  bool is_new;
  state_id a = store_add_state (&s, shorter, 3, store_hash (shorter, 3), (tuple_origin){.parent = IR_NONE}, &is_new);
  assert_true (is_new);
  assert_int_equal (store_hash (shorter, 3), store_hash (longer, 5));
  assert_int_equal (store_add_state (&s, longer, 5, store_hash (longer, 5), (tuple_origin){.parent = IR_NONE}, &is_new), a);
  assert_false (is_new);
  store_release (&s);
}

// Against a list searched linearly.
static void states_are_kept_once (void **unused) {
  (void) unused;
  store s;
  store_init (&s);
  rng r = {42};
  static uint32_t kept[TUPLES][WIDTH];
  static state_id place[TUPLES];
  uint32_t distinct = 0;
  for (uint32_t k = 0; k < TUPLES; k++) {
    uint32_t ids[WIDTH], known = 0;
    for (uint32_t i = 0; i < WIDTH; i++) ids[i] = rng_below (&r, 3);
    while (known < distinct && memcmp (kept[known], ids, sizeof ids)) known++;
    bool is_new;
    state_id state = store_add_state (&s, ids, WIDTH, store_hash (ids, WIDTH), (tuple_origin){.parent = k}, &is_new);
    assert_int_equal (is_new, known == distinct);
    if (known == distinct) {
      memcpy (kept[distinct], ids, sizeof ids);
      place[distinct++] = state;
    }
    assert_int_equal (state, place[known]);
  }
  assert_int_equal (store_num_states (&s), distinct);
  for (uint32_t k = 0; k < distinct; k++) {
    uint32_t count;
    const uint32_t *ids = store_state (&s, place[k], &count);
    assert_memory_equal (ids, kept[k], count * sizeof *ids);
  }
  store_release (&s);
}

TEST_MAIN (cmocka_unit_test (components_are_kept_once), cmocka_unit_test (trailing_zeros_do_not_count),
           cmocka_unit_test (states_are_kept_once))
