// The algebra of effects on paths written as letters, then random paths cut in two against the same paths as a whole.
#include "engine/locks/states/states_impl.h"

#include "base/rng.h"
#include "engine/locks/states/states_test.h"

#define PLACES                                                                                           \
  "r10 = nondet; r2 = assign &a; if r10 L1; r2 = assign &b; L1: r9 = mutex_lock r2 name 'v'; "           \
  "r3 = assign &b; if r10 L2; r3 = assign &c; L2: r9 = mutex_lock r3 name 'u'; r9 = mutex_lock r1 name " \
  "'q'; " RETURN

typedef struct algebra {
  lock_fixture f;
  effects *t;
  uint32_t named[128];  // [letter]: lock
} algebra;

// The mutexes a and b are normal, d is recursive, e checks for errors; w is a rwlock.  v may be a or b, u may be b or
// e; q is named by a parameter that may be a or b.
static int set_up_algebra (void **state) {
  algebra *x = calloc (1, sizeof *x);
  fixture_init (&x->f,
                "mutex_init &s, 1:32; mutex_init &c, 2:32; r0 = call &help, 0:64, &a; r0 = call &help, 0:64, &b; " EXIT,
                NULL, NULL, PLACES);
  x->t = &x->f.a.effects;
  memset (x->named, 0xff, sizeof x->named);
  x->named['a'] = mutex_named (&x->f, "a");
  x->named['b'] = mutex_named (&x->f, "b");
  x->named['d'] = mutex_named (&x->f, "s");
  x->named['e'] = mutex_named (&x->f, "c");
  x->named['w'] = lock_in (&x->f, IR_F_RWLOCK, "w", 0);
  x->named['v'] = lock_unresolved (&x->f.a.locks, IR_F_MUTEX, (lock_site){edge_of (&x->f, "v"), 0, 0});
  x->named['u'] = lock_unresolved (&x->f.a.locks, IR_F_MUTEX, (lock_site){edge_of (&x->f, "u"), 0, 0});
  x->named['q'] = use_lock (edge_lock (&x->f.a, edge_of (&x->f, "q"), 0, false));
  *state = x;
  return 0;
}

static int tear_down_algebra (void **state) {
  algebra *x = *state;
  fixture_release (&x->f);
  free (x);
  return 0;
}

// ---- paths ----------------------------------------------------------------------------------------------------------
// "a b B": a letter acquires, its capital releases; 'r' in front of a letter: for reading.  False: the path ends
// before.
static bool walk_effect (algebra *x, effect *e, const char *path) {
  for (bool reads = false; *path; path++) {
    lock_use u = use_of (x->named[tolower (*path)], reads);
    if (*path == ' ') continue;
    if (*path == 'r') {
      reads = true;
      continue;
    }
    if (isupper (*path)) effect_release (x->t, e, u);
    else if (!effect_acquire (x->t, e, u, (ir_edge){0}, false)) return false;
    reads = false;
  }
  return true;
}

static effect effect_of (algebra *x, const char *path) {
  effect e = {0};
  assert_true (walk_effect (x, &e, path));
  return e;
}

static effect composed (algebra *x, const char *first, const char *second) {
  effect e = effect_of (x, first), then = effect_of (x, second);
  assert_true (effect_compose (x->t, &e, &then, false));
  return e;
}

// ---- what they look like --------------------------------------------------------------------------------------------
static void print_use (const algebra *x, uint32_t use, strbuf *out) {
  if (use_reads ((lock_use){use})) strbuf_add_char (out, 'r');
  for (int letter = 'a'; letter <= 'z'; letter++)
    if (x->named[letter] == use_lock ((lock_use){use})) strbuf_add_char (out, (char) letter);
}

static void print_set (const algebra *x, uint32_t set, strbuf *out) {
  for (int letter = 'a'; letter <= 'z'; letter++)
    for (int reads = 0; reads < 2 && x->named[letter] != IR_NONE; reads++) {
      lock_use u = use_of (x->named[letter], reads);
      if (idset_has (&x->t->sets, set, u.i)) print_use (x, u.i, out);
    }
}

// "a(b) d2 v? -u": a with b in its history, d twice, v perhaps; u of the beginning was released.
static void print_effect (const algebra *x, const effect *e, strbuf *out) {
  for (uint32_t k = 0; k < e->num_held; k++) {
    if (out->count) strbuf_add_char (out, ' ');
    print_use (x, e->held[k].use, out);
    if (e->held[k].count != 1) strbuf_printf (out, "%u", e->held[k].count);
    if (!e->held[k].must) strbuf_add_char (out, '?');
    if (e->held[k].history == IDSET_EMPTY) continue;
    strbuf_add_char (out, '(');
    print_set (x, e->held[k].history, out);
    strbuf_add_char (out, ')');
  }
  for (uint32_t k = 0; k < e->num_released; k++) {
    strbuf_add (out, out->count ? " -" : "-");
    print_use (x, e->released[k], out);
  }
}

static void assert_effect (const algebra *x, const effect *e, const char *expected) {
  strbuf text = {0};
  print_effect (x, e, &text);
  assert_string_equal (strbuf_text (&text), expected);
  strbuf_release (&text);
}

static void assert_set (const algebra *x, uint32_t set, const char *expected) {
  strbuf text = {0};
  print_set (x, set, &text);
  assert_string_equal (strbuf_text (&text), expected);
  strbuf_release (&text);
}

static void expect_effect (algebra *x, const char *path, const char *expected) {
  effect e = effect_of (x, path);
  assert_effect (x, &e, expected);
}

static void expect_composed (algebra *x, const char *first, const char *second, const char *expected) {
  effect e = composed (x, first, second);
  assert_effect (x, &e, expected);
}

static bool can_walk (algebra *x, const char *path) { return walk_effect (x, &(effect){0}, path); }

static bool can_follow (algebra *x, const char *first, const char *second) {
  effect e = effect_of (x, first), then = effect_of (x, second);
  return effect_compose (x->t, &e, &then, false);
}

// ---- acquiring and releasing ----------------------------------------------------------------------------------------
static void what_is_taken_enters_the_histories_of_what_is_held (void **state) {
  algebra *x = *state;
  expect_effect (x, "a b", "a(b) b");
  expect_effect (x, "b a", "b(a) a");
  expect_effect (x, "a bB", "a(b)");
  expect_effect (x, "a b A", "b");
  expect_effect (x, "a bB wW d", "a(bdw) d");
  expect_effect (x, "a rwW", "a(rw)");
  effect e = effect_of (x, "a bB");
  assert_set (x, e.acquired, "ab");
  assert_set (x, e.needs_free, "ab");
}

static void what_was_held_before_can_be_given_back (void **state) {
  algebra *x = *state;
  expect_effect (x, "B a", "a -b");
  expect_effect (x, "B A", "-b -a");
  expect_effect (x, "B B", "-b");
  expect_effect (x, "aA", "");
  effect e = effect_of (x, "B b");
  assert_effect (x, &e, "b -b");
  assert_set (x, e.acquired, "b");
  assert_set (x, e.needs_free, "");  // the path itself made it free
}

static void taking_a_normal_lock_twice_ends_the_path (void **state) {
  algebra *x = *state;
  assert_false (can_walk (x, "a a"));
  assert_true (can_walk (x, "aA a"));
  assert_true (can_walk (x, "w w"));  // fails at once
  assert_false (can_walk (x, "rw w"));
}

static void a_recursive_lock_counts (void **state) {
  algebra *x = *state;
  expect_effect (x, "d d", "d2");
  expect_effect (x, "d d D", "d");
  expect_effect (x, "d d D D", "");
  expect_effect (x, "a d d b", "a(bd) d2(b) b");
  expect_effect (x, "d d d d d d d d", "d8");
  effect e = effect_of (x, "d d d d d d d d d");  // more than is counted
  assert_false (e.held[0].must);
}

static void a_checking_lock_does_not_count (void **state) {
  algebra *x = *state;
  expect_effect (x, "e e", "e");
  expect_effect (x, "e e E", "");
}

static void readers_count_and_a_writer_does_not_read (void **state) {
  algebra *x = *state;
  expect_effect (x, "rw rw", "rw2");
  expect_effect (x, "rw rw W", "rw");
  expect_effect (x, "w rw", "w");
  expect_effect (x, "w rw W", "");
}

static void too_many_locks_overflow (void **state) {
  algebra *x = *state;
  effect e = {0};
  for (uint32_t k = 0; k <= LIMIT_LOCKS_HELD; k++) {
    assert_false (e.overflowed);
    lock_use u = use_of (lock_in (&x->f, IR_F_MUTEX, "s", k + 1), false);
    assert_true (effect_acquire (x->t, &e, u, (ir_edge){0}, false));
  }
  assert_true (e.overflowed);
}

// ---- may-held locks -------------------------------------------------------------------------------------------------
static void unresolved_locks_come_last_by_number_without_history (void **state) {
  algebra *x = *state;
  expect_effect (x, "u b v a", "b(a) a v u");
  expect_effect (x, "v u b a", "b(a) a v u");
  expect_effect (x, "v v a", "a v");
  effect e = effect_of (x, "v");
  assert_set (x, e.acquired, "");
  assert_set (x, e.needs_free, "");
}

static void a_vague_release_makes_unsure_what_it_may_be (void **state) {
  algebra *x = *state;
  expect_effect (x, "a b w d V", "w(d) d a? b? -v");  // v may be a or b
  expect_effect (x, "a e U", "a(e) e? -u");           // u may be b or e
  expect_effect (x, "a V A", "-v");
  expect_effect (x, "a V a", "a -v");  // else it would wait for itself
  expect_effect (x, "U V b", "b -v -u");
  expect_effect (x, "v V", "v? -v");
}

static void a_lock_named_by_a_parameter_is_certain_but_may_be_another (void **state) {
  algebra *x = *state;
  expect_effect (x, "q a", "q(a) a");
  expect_effect (x, "a e Q", "e a? -q");
  expect_effect (x, "q A", "q? -a");
}

// ---- threads created ------------------------------------------------------------------------------------------------
static bool held_ever_since (algebra *x, const effect *e, uint32_t create, char lock) {
  held_since p = {create, use_of (x->named[(int) lock], false).i};
  return idset_has (&x->t->sets, e->since, effect_pair_item (x->t, p));
}

static void locks_are_held_since_a_creation_until_given_back (void **state) {
  algebra *x = *state;
  effect e = effect_of (x, "a b V e");
  effect_create (x->t, &e, (ir_edge){7});
  assert_true (walk_effect (x, &e, "d"));
  assert_true (idset_has (&x->t->sets, e.created, 7));
  assert_true (held_ever_since (x, &e, 7, 'e'));
  assert_false (held_ever_since (x, &e, 7, 'a'));  // not surely held
  assert_false (held_ever_since (x, &e, 7, 'd'));  // taken later
  assert_true (walk_effect (x, &e, "E e"));
  assert_false (held_ever_since (x, &e, 7, 'e'));
  effect_create (x->t, &e, (ir_edge){8});
  assert_true (held_ever_since (x, &e, 8, 'e'));
  assert_true (walk_effect (x, &e, "U"));  // perhaps e
  assert_false (held_ever_since (x, &e, 8, 'e'));
  assert_true (held_ever_since (x, &e, 8, 'd'));
}

static void an_earlier_thread_of_the_same_place_counts_no_longer (void **state) {
  algebra *x = *state;
  effect e = effect_of (x, "a b"), later = effect_of (x, "A");
  effect_create (x->t, &e, (ir_edge){7});
  effect_create (x->t, &later, (ir_edge){7});
  assert_true (effect_compose (x->t, &e, &later, false));
  assert_false (held_ever_since (x, &e, 7, 'a'));
  assert_true (held_ever_since (x, &e, 7, 'b'));
}

// ---- composition ----------------------------------------------------------------------------------------------------
static void one_path_after_another (void **state) {
  algebra *x = *state;
  expect_composed (x, "a", "b", "a(b) b");
  expect_composed (x, "a", "bB", "a(b)");
  expect_composed (x, "a b", "A w", "b(w) w");
  expect_composed (x, "B", "A b", "b -b -a");
  expect_composed (x, "b u", "v", "b v u");
  expect_composed (x, "a b w", "V", "w a? b? -v");
  expect_composed (x, "", "", "");
  effect e = composed (x, "B w", "a b");
  assert_set (x, e.acquired, "abw");
  assert_set (x, e.needs_free, "aw");
}

static void a_path_cannot_follow_if_it_wants_what_is_held (void **state) {
  algebra *x = *state;
  assert_false (can_follow (x, "a", "aA"));
  assert_true (can_follow (x, "a", "A a"));
  assert_true (can_follow (x, "aA", "a"));
  assert_true (can_follow (x, "a V", "a"));  // v may be a: it may have been released
  assert_true (can_follow (x, "d", "dD"));
  assert_true (can_follow (x, "e", "e"));
  assert_true (can_follow (x, "rw", "rw"));
  assert_false (can_follow (x, "rw", "w"));
  assert_true (can_follow (x, "w", "rw"));
}

static void recursion_across_a_call (void **state) {
  algebra *x = *state;
  expect_composed (x, "d", "d", "d2");
  expect_composed (x, "d a", "dD b", "d(ab) a(b) b");  // d again is nothing for a's history
  expect_composed (x, "d d", "D", "d");
  expect_composed (x, "d d d d d", "d d d d", "d?");
  expect_composed (x, "a V", "a", "a -v");  // it was released
}

// No lock is released twice.
static void random_effect_path (rng *r, const char *letters, char *out, uint32_t length) {
  bool given[128] = {false};
  while (length) {
    char letter = letters[rng_below (r, (uint32_t) strlen (letters))];
    if (isupper (letter) && given[tolower (letter)]) continue;
    given[tolower (letter)] = isupper (letter);
    *out++ = letter;
    length--;
  }
  *out = 0;
}

// The effect of the whole and that of its parts; false: the path is not possible.
static bool walk_both (algebra *x, const char *path, uint32_t cut, effect *whole, effect *parts) {
  char first[16] = {0};
  memcpy (first, path, cut);
  effect rest = {0};
  *whole = *parts = rest;
  bool can = walk_effect (x, whole, path);
  bool parts_can =
      walk_effect (x, parts, first) && walk_effect (x, &rest, path + cut) && effect_compose (x->t, parts, &rest, false);
  if (can != parts_can) fail_msg ("%s after %s: %s", path + cut, first, can ? "not possible" : "possible");
  return can;
}

static void fail_cut (algebra *x, const char *path, uint32_t truncated, const effect *whole, const effect *parts) {
  strbuf one = {0}, two = {0};
  print_effect (x, whole, &one);
  strbuf_add (&one, " wanted ");
  print_set (x, whole->needs_free, &one);
  print_effect (x, parts, &two);
  strbuf_add (&two, " wanted ");
  print_set (x, parts->needs_free, &two);
  fail_msg ("%s cut at %u: %s, but %s", path, truncated, strbuf_text (&one), strbuf_text (&two));
}

static void cut_random_paths (algebra *x, const char *letters, bool equal) {
  rng r = {3};
  uint32_t possible = 0;
  for (uint32_t round = 0; round < 10000; round++) {
    char path[16];
    uint32_t length = 1 + rng_below (&r, 10), cut = rng_below (&r, length + 1);
    effect whole, parts;
    random_effect_path (&r, letters, path, length);
    if (!walk_both (x, path, cut, &whole, &parts)) continue;
    possible++;
    if (equal ? effect_intern (x->t, &whole) != effect_intern (x->t, &parts) : !effect_subsumes (x->t, &parts, &whole))
      fail_cut (x, path, cut, &whole, &parts);
  }
  assert_in_range (possible, 1000, 9000);
}

static void a_path_cut_in_two_is_the_path (void **state) { cut_random_paths (*state, "abAB", true); }

static void a_path_cut_in_two_is_no_stronger_with_vague_locks (void **state) {
  cut_random_paths (*state, "abvuAB", false);
  cut_random_paths (*state, "abvuABVU", false);
}

// ---- renaming -------------------------------------------------------------------------------------------------------
typedef struct effect_naming {
  const algebra *x;
  char from, to;
} effect_naming;

static uint32_t renamed (void *state, uint32_t use) {
  const effect_naming *n = state;
  lock_use u = {use};
  return use_lock (u) == n->x->named[(int) n->from] ? use_of (n->x->named[(int) n->to], use_reads (u)).i : use;
}

static void every_name_is_changed (void **state) {
  algebra *x = *state;
  effect e = effect_of (x, "a q b Q Q d"), held = effect_of (x, "q a");
  effect_create (x->t, &held, (ir_edge){7});
  effect_rename (x->t, &e, renamed, &(effect_naming){x, 'q', 'e'});
  assert_effect (x, &e, "d a? b? -e");
  assert_set (x, e.acquired, "abde");
  assert_set (x, e.needs_free, "abde");
  effect_rename (x->t, &held, renamed, &(effect_naming){x, 'q', 'e'});
  assert_effect (x, &held, "e(a) a");
  assert_true (held_ever_since (x, &held, 7, 'e'));
}

static void what_becomes_vague_leaves_the_sets (void **state) {
  algebra *x = *state;
  effect e = effect_of (x, "a q b");
  effect_create (x->t, &e, (ir_edge){7});
  assert_true (held_ever_since (x, &e, 7, 'q'));
  effect_rename (x->t, &e, renamed, &(effect_naming){x, 'q', 'v'});
  assert_effect (x, &e, "a(b) b v");
  assert_set (x, e.acquired, "ab");
  assert_set (x, e.needs_free, "ab");
  assert_false (held_ever_since (x, &e, 7, 'v'));
  assert_true (held_ever_since (x, &e, 7, 'a'));
}

static void an_assigned_register_names_nothing_any_more (void **state) {
  algebra *x = *state;
  ir_proc help = proc_named (&x->f, "help");
  effect e = effect_of (x, "a q b"), other = e;
  effect_track (&e, value_reg (&x->f.a.values, help, 1), 5);
  effect_track (&e, value_reg (&x->f.a.values, help, 2), 6);
  effect_kill_register (x->t, &other, help, 0);
  assert_effect (x, &other, "a(bq) q(b) b");
  effect_kill_register (x->t, &e, help, 1);
  assert_int_equal (e.num_held, 3);
  assert_true (lock_is_unresolved (&x->f.a.locks, use_lock ((lock_use){e.held[2].use})));
  assert_set (x, e.held[0].history, "b");
  assert_set (x, e.acquired, "ab");
  assert_int_equal (e.num_tracked, 1);
  assert_int_equal (e.tracked[0].low, 6);
}

// ---- comparison -----------------------------------------------------------------------------------------------------
static void expect_covers (algebra *x, const char *weaker, const char *stronger, bool yes) {
  effect w = effect_of (x, weaker), s = effect_of (x, stronger);
  if (effect_subsumes (x->t, &w, &s) != yes) fail_msg ("%s %s %s", weaker, yes ? "should cover" : "covers", stronger);
}

static void expect_weaker (algebra *x, const char *weaker, const char *stronger) {
  expect_covers (x, weaker, stronger, true);
  expect_covers (x, stronger, weaker, false);
}

static void expect_unlike (algebra *x, const char *a, const char *b) {
  expect_covers (x, a, b, false);
  expect_covers (x, b, a, false);
}

static void weaker_effects_cover_stronger_ones (void **state) {
  algebra *x = *state;
  expect_covers (x, "a b", "a b", true);
  expect_covers (x, "v u a", "u a v", true);
  expect_weaker (x, "a", "a bB");     // has taken less
  expect_weaker (x, "a v", "a");      // may hold more
  expect_weaker (x, "A V U", "A V");  // may release more
  expect_unlike (x, "a", "");         // without locks a state waits for no thread; with one it excludes more
  expect_unlike (x, "a b", "b a");    // order of taking
  expect_unlike (x, "d", "d d");
  expect_unlike (x, "w", "rw");
  expect_unlike (x, "A", "");
  expect_unlike (x, "A B", "B A");
}

static void what_is_known_must_be_equal_to_cover (void **state) {
  algebra *x = *state;
  effect e = effect_of (x, "a"), knows = e, created = e, lost = e;
  effect_track (&knows, value_const (&x->f.a.values, 32, 1), 1);
  assert_false (effect_subsumes (x->t, &e, &knows));
  assert_false (effect_subsumes (x->t, &knows, &e));
  effect_create (x->t, &created, (ir_edge){7});
  assert_true (effect_subsumes (x->t, &e, &created));
  assert_false (effect_subsumes (x->t, &created, &e));
  lost.overflowed = true;
  assert_false (effect_subsumes (x->t, &e, &lost));
}

static void sure_does_not_cover_unsure (void **state) {
  algebra *x = *state;
  effect sure = effect_of (x, "v"), unsure = sure;
  unsure.held[0].must = false;
  assert_false (effect_subsumes (x->t, &sure, &unsure));
  assert_true (effect_subsumes (x->t, &unsure, &sure));
}

// ---- joining --------------------------------------------------------------------------------------------------------
static void expect_joined (algebra *x, const char *one, const char *other, const char *expected) {
  effect e = effect_of (x, one), o = effect_of (x, other);
  effect_join (x->t, &e, &o);
  assert_effect (x, &e, expected);
}

static void loose_locks_are_joined (void **state) {
  algebra *x = *state;
  expect_joined (x, "a u", "a v", "a v u");
  expect_joined (x, "a v", "a u", "a v u");
  expect_joined (x, "a", "a u", "a u");
  expect_joined (x, "U", "V", "-v -u");
  effect e = effect_of (x, "v"), o = e;
  o.held[0].must = false;
  effect_join (x->t, &e, &o);
  assert_effect (x, &e, "v?");
}

static void effects_that_differ_otherwise_are_not_joined (void **state) {
  algebra *x = *state;
  expect_joined (x, "a u", "b v", "a u");
  expect_joined (x, "a u", "a bB v", "a u");
  expect_joined (x, "A u", "v", "u -a");
  expect_joined (x, "a b u", "b a v", "a(b) b u");
}

// ---- numbers and values ---------------------------------------------------------------------------------------------
static void equal_effects_have_equal_numbers (void **state) {
  algebra *x = *state;
  effect one = effect_of (x, "u b v a B"), two = effect_of (x, "v b u a B"), other = effect_of (x, "v b a B"), back;
  uint32_t number = effect_intern (x->t, &one);
  assert_int_equal (effect_intern (x->t, &two), number);
  assert_int_not_equal (effect_intern (x->t, &other), number);
  effect_load (x->t, number, &back);
  assert_int_equal (effect_intern (x->t, &back), number);
  assert_effect (x, &back, "a v u");
}

static void values_are_known_until_there_are_too_many (void **state) {
  (void) state;
  effect e = {0};
  ir_value number;
  effect_track (&e, (value_term){5}, 50);
  effect_track (&e, (value_term){3}, 30);
  effect_track (&e, (value_term){5}, 51);  // it is known already
  effect_track (&e, (value_term){4}, (ir_value) 1 << 64);
  assert_true (effect_tracked_value (&e, (value_term){5}, &number));
  assert_int_equal (number, 50);
  assert_true (effect_tracked_value (&e, (value_term){3}, &number));
  assert_int_equal (number, 30);
  assert_false (effect_tracked_value (&e, (value_term){4}, &number));
  assert_int_equal (e.tracked[0].value, 3);
  for (uint32_t k = 10; k < 10 + LIMIT_LOCK_KNOWN; k++) effect_track (&e, (value_term){k}, k);
  assert_int_equal (e.num_tracked, LIMIT_LOCK_KNOWN);
  assert_false (effect_tracked_value (&e, (value_term){10 + LIMIT_LOCK_KNOWN - 1}, &number));
}

#define TEST(NAME) cmocka_unit_test_setup_teardown (NAME, set_up_algebra, tear_down_algebra)
TEST_MAIN (TEST (what_is_taken_enters_the_histories_of_what_is_held), TEST (what_was_held_before_can_be_given_back),
           TEST (taking_a_normal_lock_twice_ends_the_path), TEST (a_recursive_lock_counts),
           TEST (a_checking_lock_does_not_count), TEST (readers_count_and_a_writer_does_not_read),
           TEST (too_many_locks_overflow), TEST (unresolved_locks_come_last_by_number_without_history),
           TEST (a_vague_release_makes_unsure_what_it_may_be),
           TEST (a_lock_named_by_a_parameter_is_certain_but_may_be_another),
           TEST (locks_are_held_since_a_creation_until_given_back),
           TEST (an_earlier_thread_of_the_same_place_counts_no_longer), TEST (one_path_after_another),
           TEST (a_path_cannot_follow_if_it_wants_what_is_held), TEST (recursion_across_a_call),
           TEST (a_path_cut_in_two_is_the_path), TEST (a_path_cut_in_two_is_no_stronger_with_vague_locks),
           TEST (every_name_is_changed), TEST (what_becomes_vague_leaves_the_sets),
           TEST (an_assigned_register_names_nothing_any_more), TEST (weaker_effects_cover_stronger_ones),
           TEST (what_is_known_must_be_equal_to_cover), TEST (sure_does_not_cover_unsure),
           TEST (loose_locks_are_joined), TEST (effects_that_differ_otherwise_are_not_joined),
           TEST (equal_effects_have_equal_numbers), TEST (values_are_known_until_there_are_too_many))
