// Protecting locks as the search infers them: the lock set that remains after each access, the threads with exclusive
// access, and the moment when a variable loses its protection.
#include "base/rng.h"
#include "engine/explicit/explicit_test.h"
#include "engine/explicit/protect.h"

enum { X = 0x1000, M = 0x2000, N = 0x3000 };  // a variable and two locks; nothing is looked up in memory

typedef struct protect_fixture {
  explicit_fixture s;
  protect p;
  variable_list relied;
} protect_fixture;

static void protect_fixture_init (protect_fixture *c) {
  static const char *const threads[] = {"", "store.4 &y, 1:32", "store.4 &y, 2:32"};
  memset (c, 0, sizeof *c);
  explicit_fixture_init (&c->s, "y:4", threads, 3);
}

static void protect_fixture_release (protect_fixture *c) {
  protect_release (&c->p);
  vec_release (&c->relied);
  explicit_fixture_release (&c->s);
}

static void hold (protect_fixture *c, uint32_t slot, uint64_t lock, hold_mode kind) {
  xs_thread_hold (&c->s.w, slot, lock, kind);
}
static void drop (protect_fixture *c, uint32_t slot, uint64_t lock, hold_mode kind) {
  assert_true (xs_thread_drop (&c->s.w, slot, lock, kind));
}
static void reads (protect_fixture *c, uint32_t slot) { protect_note (&c->p, &c->s.w, slot, X, 4, false); }
static void writes (protect_fixture *c, uint32_t slot) { protect_note (&c->p, &c->s.w, slot, X, 4, true); }

static bool exclusive (protect_fixture *c, uint32_t slot, bool write) {
  step_access t = {X, 4, write, true};
  vec_clear (&c->relied);
  return protect_exclusive (&c->p, &c->s.w, slot, &t, &c->relied);
}

static const protected_variable *variable (const protect_fixture *c, uint64_t address) {
  for (uint32_t k = 0; k < c->p.variables.count; k++)
    if (c->p.variables.data[k].address == address) return &c->p.variables.data[k];
  return NULL;
}

static void a_variable_belongs_to_its_first_thread (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  assert_true (exclusive (&c, 1, true) && exclusive (&c, 2, true));  // no thread has accessed it
  writes (&c, 1);
  writes (&c, 1);
  assert_true (exclusive (&c, 1, true));
  assert_int_equal (c.relied.count, 1);
  assert_false (exclusive (&c, 2, true));
  assert_int_equal (variable (&c, X)->accesses, 2);
  assert_int_equal (c.p.lost.count, 0);
  writes (&c, 2);
  assert_false (exclusive (&c, 1, true) || exclusive (&c, 1, false) || exclusive (&c, 2, true));
  assert_int_equal (c.p.lost.count, 1);
  protect_fixture_release (&c);
}

static void lock_sets_shrink (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  hold (&c, 1, M, HELD_MUTEX);
  hold (&c, 1, N, HELD_MUTEX);
  writes (&c, 1);
  assert_int_equal (variable (&c, X)->num_locks, 2);
  hold (&c, 2, N, HELD_MUTEX);
  assert_true (exclusive (&c, 2, true));
  writes (&c, 2);
  assert_int_equal (variable (&c, X)->num_locks, 1);
  assert_int_equal (variable (&c, X)->locks[0].address, N);
  assert_true (exclusive (&c, 1, true));
  drop (&c, 1, N, HELD_MUTEX);
  assert_false (exclusive (&c, 1, true));  // M is no longer among them
  assert_int_equal (c.p.lost.count, 0);
  writes (&c, 1);
  assert_true (variable (&c, X)->lost);
  protect_fixture_release (&c);
}

static void what_is_only_read_needs_no_lock (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  reads (&c, 1);
  reads (&c, 2);
  assert_true (exclusive (&c, 1, false) && exclusive (&c, 2, false));
  assert_false (exclusive (&c, 2, true));
  assert_int_equal (c.p.lost.count, 0);
  writes (&c, 2);
  assert_int_equal (c.p.lost.count, 1);
  assert_false (exclusive (&c, 1, false));
  protect_fixture_release (&c);
}

static void readers_hold_the_lock_for_reading (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  hold (&c, 1, M, HELD_WRITE);
  writes (&c, 1);
  drop (&c, 1, M, HELD_WRITE);
  hold (&c, 1, M, HELD_READ);
  hold (&c, 2, M, HELD_READ);
  reads (&c, 2);
  reads (&c, 1);
  assert_true (exclusive (&c, 1, false) && exclusive (&c, 2, false));
  assert_false (exclusive (&c, 1, true));  // a read lock does not protect a write
  assert_true (variable (&c, X)->locks[0].shared_only);
  assert_int_equal (c.p.lost.count, 0);
  writes (&c, 1);
  assert_true (variable (&c, X)->lost);
  protect_fixture_release (&c);
}

static void a_once_region_protects_nothing (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  hold (&c, 1, M, HELD_ONCE);
  writes (&c, 1);
  assert_int_equal (variable (&c, X)->num_locks, 0);
  protect_fixture_release (&c);
}

// The list names the variables whose states are expanded again; it must not name a variable twice.
static void a_variable_is_lost_once (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  writes (&c, 1);
  writes (&c, 2);
  assert_int_equal (c.p.lost.count, 1);
  assert_int_equal (c.p.variables.data[c.p.lost.data[0]].address, X);
  c.p.lost.count = 0;  // reopened
  writes (&c, 1);
  writes (&c, 2);
  protect_give_up (&c.p, X);
  assert_int_equal (c.p.lost.count, 0);
  protect_fixture_release (&c);
}

static void a_lock_others_look_into_is_given_up (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  assert_true (protect_exclusive_lock (&c.p, M, &c.relied));
  assert_int_equal (c.relied.count, 1);
  protect_give_up (&c.p, M);
  protect_give_up (&c.p, M);
  assert_false (protect_exclusive_lock (&c.p, M, &c.relied));
  assert_int_equal (c.p.lost.count, 1);
  assert_true (protect_exclusive_lock (&c.p, N, &c.relied));
  protect_fixture_release (&c);
}

// Four bytes are one variable; an access that crosses its border is to two, and needs exclusive access to both.
static void accesses_cover_all_their_variables (void **state) {
  (void) state;
  protect_fixture c;
  protect_fixture_init (&c);
  protect_note (&c.p, &c.s.w, 1, X + 2, 4, true);
  assert_non_null (variable (&c, X));
  assert_non_null (variable (&c, X + 4));
  assert_null (variable (&c, X + 8));
  protect_note (&c.p, &c.s.w, 2, X + 4, 1, true);
  assert_true (exclusive (&c, 1, true));
  step_access both = {X + 3, 2, false, true};
  assert_false (protect_exclusive (&c.p, &c.s.w, 1, &both, &c.relied));
  protect_fixture_release (&c);
}

static void merging_is_noting_all_accesses (void **state) {
  (void) state;
  protect_fixture a, b;
  protect_fixture_init (&a);
  protect_fixture_init (&b);
  hold (&a, 1, M, HELD_MUTEX);
  hold (&a, 1, N, HELD_MUTEX);
  writes (&a, 1);
  hold (&b, 2, N, HELD_MUTEX);
  writes (&b, 2);
  protect_note (&b.p, &b.s.w, 2, X + 4, 4, false);
  protect_merge (&a.p, &b.p);
  assert_int_equal (variable (&a, X)->num_locks, 1);
  assert_int_equal (variable (&a, X)->locks[0].address, N);
  assert_true (variable (&a, X)->shared && variable (&a, X)->accesses == 2);
  assert_int_equal (variable (&a, X + 4)->owner, 2);
  protect_fixture_release (&a);
  protect_fixture_release (&b);
}

// Compares with the definition: the common locks of all accesses so far.
static void random_accesses_keep_the_common_locks (void **state) {
  (void) state;
  static const uint64_t locks[] = {M, N, M + 64, N + 64};
  rng r = {3};
  protect_fixture c;
  protect_fixture_init (&c);
  for (uint32_t round = 0; round < 300; round++) {
    uint64_t at = X + 64 + round * 4ull;
    uint32_t common = 15, owner = 0, seen = 0;
    bool shared = false, written = false;
    for (uint32_t k = 0; k < 6; k++) {
      uint32_t slot = 1 + rng_below (&r, 2), held = rng_below (&r, 16) | rng_below (&r, 16);
      bool write = rng_below (&r, 2);
      for (uint32_t n = 0; n < 4; n++)
        if (held >> n & 1) hold (&c, slot, locks[n], HELD_MUTEX);
      protect_note (&c.p, &c.s.w, slot, at, 4, write);
      for (uint32_t n = 0; n < 4; n++)
        if (held >> n & 1) drop (&c, slot, locks[n], HELD_MUTEX);
      common &= held;
      owner = seen++ ? owner : slot;
      shared |= owner != slot;
      written |= write;
      const protected_variable *v = variable (&c, at);
      assert_int_equal (v->num_locks, __builtin_popcount (common));
      assert_int_equal (v->lost, shared && written && !common);
    }
  }
  protect_fixture_release (&c);
}

TEST_MAIN (cmocka_unit_test (a_variable_belongs_to_its_first_thread), cmocka_unit_test (lock_sets_shrink),
           cmocka_unit_test (what_is_only_read_needs_no_lock), cmocka_unit_test (readers_hold_the_lock_for_reading),
           cmocka_unit_test (a_once_region_protects_nothing), cmocka_unit_test (a_variable_is_lost_once),
           cmocka_unit_test (a_lock_others_look_into_is_given_up),
           cmocka_unit_test (accesses_cover_all_their_variables), cmocka_unit_test (merging_is_noting_all_accesses),
           cmocka_unit_test (random_accesses_keep_the_common_locks))
