// Compares the store with plain copies: every component and state is stored once and comes back unchanged, also if
// several threads add the same ones.
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "engine/explicit/explicit_impl.h"

enum { TUPLES = 5000, WIDTH = 9 };

static void components_are_kept_once (void **unused) {
  (void) unused;
  store_tables tables;
  store s;
  store_tables_init (&tables, false);
  store_init (&s, &tables);
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
  store_tables_release (&tables);
}

static void trailing_zeros_do_not_count (void **unused) {
  (void) unused;
  store_tables tables;
  store s;
  store_tables_init (&tables, false);
  store_init (&s, &tables);
  uint32_t shorter[] = {3, 0, 4}, longer[] = {3, 0, 4, 0, 0};
  bool is_new;
  state_id a = store_add_state (&s, shorter, 3, store_hash (shorter, 3), (tuple_origin){.parent = IR_NONE}, &is_new);
  assert_true (is_new);
  assert_int_equal (store_hash (shorter, 3), store_hash (longer, 5));
  assert_int_equal (store_add_state (&s, longer, 5, store_hash (longer, 5), (tuple_origin){.parent = IR_NONE}, &is_new),
                    a);
  assert_false (is_new);
  store_release (&s);
  store_tables_release (&tables);
}

// Compares with a list that is searched linearly.
static void states_are_kept_once (void **unused) {
  (void) unused;
  store_tables tables;
  store s;
  store_tables_init (&tables, false);
  store_init (&s, &tables);
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
  store_tables_release (&tables);
}

// ---- states larger than a chunk of tuples -------------------------------------------------------------
static void fill (uint32_t *ids, uint32_t count, uint32_t seed) {
  for (uint32_t k = 0; k < count; k++) ids[k] = k * 2654435761u + seed;
  ids[count - 1] |= 1;  // trailing zeros are not stored
}

static void expect_state (const store *s, state_id state, uint32_t *ids, uint32_t count, uint32_t seed) {
  uint32_t known;
  const uint32_t *kept = store_state (s, state, &known);
  fill (ids, count, seed);
  assert_int_equal (known, count);
  assert_memory_equal (kept, ids, count * sizeof *ids);
}

static const uint32_t large_counts[] = {5, 300000, 7, (1 << 18) - 2, 9, (1 << 18) - 3, 1000000, 250000, 1 << 18, 3};
enum { LARGE = sizeof large_counts / sizeof *large_counts };

static void large_states_are_kept (void **unused) {
  (void) unused;
  store_tables tables;
  store s;
  store_tables_init (&tables, false);
  store_init (&s, &tables);
  uint32_t *ids = mem_alloc (sizeof *ids * 1000000);
  state_id place[LARGE];
  bool is_new;
  for (uint32_t k = 0; k < LARGE; k++) {
    fill (ids, large_counts[k], k);
    place[k] = store_add_state (&s, ids, large_counts[k], store_hash (ids, large_counts[k]),
                                (tuple_origin){.parent = k, .log = ids, .log_words = k}, &is_new);
    assert_true (is_new);
  }
  for (uint32_t k = 0; k < 3000; k++) {  // the table of states grows and finds all tuples again
    uint32_t more[] = {k + 1, 77};
    store_add_state (&s, more, 2, store_hash (more, 2), (tuple_origin){.parent = k}, &is_new);
  }
  for (uint32_t k = 0; k < LARGE; k++) {
    expect_state (&s, place[k], ids, large_counts[k], k);
    assert_int_equal (store_parent (&s, place[k]), k);
    assert_int_equal (store_add_state (&s, ids, large_counts[k], store_hash (ids, large_counts[k]),
                                       (tuple_origin){.parent = k}, &is_new),
                      place[k]);
    assert_false (is_new);
  }
  mem_free (ids, sizeof *ids * 1000000);
  store_release (&s);
  store_tables_release (&tables);
}

// Tuples as a stack, with bits: chunks are used again that had other sizes before.
static void large_states_come_and_go (void **unused) {
  (void) unused;
  store_tables tables;
  store s;
  store_tables_init (&tables, false);
  store_use_bits (&tables, 1 << 20);
  store_init (&s, &tables);
  uint32_t *ids = mem_alloc (sizeof *ids * 1000000), one = 1;
  bool is_new;
  state_id bottom = store_add_state (&s, &one, 1, store_hash (&one, 1), (tuple_origin){.parent = IR_NONE}, &is_new),
           place[LARGE];
  for (uint32_t round = 0; round < LARGE; round++) {
    for (uint32_t k = 0; k < LARGE; k++) {
      uint32_t count = large_counts[(k + round) % LARGE], seed = 100 * round + k;
      fill (ids, count, seed);
      place[k] = store_add_state (&s, ids, count, store_hash (ids, count), (tuple_origin){.parent = k}, &is_new);
      assert_true (is_new);
    }
    for (uint32_t k = 0; k < LARGE; k++)
      expect_state (&s, place[k], ids, large_counts[(k + round) % LARGE], 100 * round + k);
    store_forget_after (&s, bottom);
  }
  mem_free (ids, sizeof *ids * 1000000);
  store_release (&s);
  store_tables_release (&tables);
}

// ---- several workers ----------------------------------------------------------------------------------
enum { WORKERS = 4, ITEMS = 200000 };

typedef struct store_worker {
  pthread_t thread;
  store store;
  uint32_t seed, added, flagged;
  uint32_t component[ITEMS];  // ids, by number
  state_id state[ITEMS];
} store_worker;

// Each number stands for one component and one state; there are enough of them to make the tables grow several times.
static uint32_t component_of (uint32_t number, uint8_t *bytes) {
  uint32_t size = 4 + number % 29;
  for (uint32_t k = 0; k < size; k++) bytes[k] = (uint8_t) (number >> 8 * (k % 4));
  return size;
}

static uint32_t tuple_of (uint32_t number, uint32_t *ids) {
  uint32_t count = 1 + number % 5;
  for (uint32_t k = 0; k < count; k++) ids[k] = number + k + 1;
  return count;
}

static state_id add_tuple (store *s, uint32_t number, uint32_t flags, bool *is_new) {
  uint32_t ids[8], count = tuple_of (number, ids);
  store_enter (s);
  state_id state = store_add_state (s, ids, count, store_hash (ids, count),
                                    (tuple_origin){.parent = IR_NONE, .flags = flags}, is_new);
  store_leave (s);
  return state;
}

// Every store_worker adds everything, in an order of its own, and requests flags for every third state.
static void *add_everything (void *state) {
  store_worker *w = state;
  for (uint32_t k = 0; k < ITEMS; k++) {
    uint32_t number = (uint32_t) (((uint64_t) k * 7919 + w->seed) % ITEMS);
    uint8_t bytes[40];
    bool is_new;
    w->component[number] = store_intern (&w->store, bytes, component_of (number, bytes));
    w->state[number] = add_tuple (&w->store, number, 0, &is_new);
    w->added += is_new;
    if (number % 3) continue;
    add_tuple (&w->store, number, 1u << 30, &is_new);
    w->flagged += is_new;
  }
  store_tell (&w->store);
  return NULL;
}

static void expect_same (const store_worker *w, const store_worker *first) {
  for (uint32_t k = 0; k < ITEMS; k++) {
    uint8_t bytes[40];
    uint32_t size, count, ids[8];
    assert_int_equal (w->component[k], first->component[k]);
    assert_int_equal (w->state[k], first->state[k]);
    const uint8_t *kept = store_component (&w->store, w->component[k], &size);
    assert_int_equal (size, component_of (k, bytes));
    assert_memory_equal (kept, bytes, size);
    const uint32_t *tuple = store_state (&w->store, w->state[k], &count);
    assert_int_equal (count, tuple_of (k, ids));
    assert_memory_equal (tuple, ids, count * sizeof *ids);
    assert_int_equal (store_flags (&w->store, w->state[k]), k % 3 ? 0 : 1u << 30);
  }
}

static void workers_agree (void **unused) {
  (void) unused;
  store_tables tables;
  store_worker *workers = mem_zalloc (sizeof *workers * WORKERS);
  uint32_t added = 0, flagged = 0;
  store_tables_init (&tables, true);
  for (uint32_t k = 0; k < WORKERS; k++) {
    workers[k].seed = k * 1237;
    store_init (&workers[k].store, &tables);
  }
  for (uint32_t k = 0; k < WORKERS; k++)
    assert_int_equal (pthread_create (&workers[k].thread, NULL, add_everything, &workers[k]), 0);
  for (uint32_t k = 0; k < WORKERS; k++) pthread_join (workers[k].thread, NULL);
  for (uint32_t k = 0; k < WORKERS; k++) {
    expect_same (&workers[k], &workers[0]);
    added += workers[k].added;
    flagged += workers[k].flagged;
  }
  assert_int_equal (added, ITEMS);
  assert_int_equal (flagged, (ITEMS + 2) / 3);
  assert_int_equal (store_num_states (&workers[0].store), ITEMS);
  assert_int_equal (store_num_components (&tables), ITEMS);
  for (uint32_t k = 0; k < WORKERS; k++) store_release (&workers[k].store);
  store_tables_release (&tables);
  mem_free (workers, sizeof *workers * WORKERS);
}

TEST_MAIN (cmocka_unit_test (components_are_kept_once), cmocka_unit_test (trailing_zeros_do_not_count),
           cmocka_unit_test (states_are_kept_once), cmocka_unit_test (large_states_are_kept),
           cmocka_unit_test (large_states_come_and_go), cmocka_unit_test (workers_agree))
