// Merged interleavings: the paper's example and its variant, every operation with locks by hand, then random paths
// against the condition of LOCK theorem 5 and against trying all interleavings.  What comes out is executed on
// simulated locks.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "engine/locks/show/show_impl.h"

enum { LOCKS = 6, LONGEST = 24, MOST_PATHS = 3 };

typedef struct made {
  interleave_step steps[MOST_PATHS][LONGEST];
  interleave_path paths[MOST_PATHS];
  uint32_t count;
} made;

// ---- executing ---------------------------------------------------------------------------------------------------
typedef struct lock_world {
  uint32_t writer[LOCKS], readers[LOCKS][MOST_PATHS], count[LOCKS], at[MOST_PATHS];
} lock_world;  // writer: path + 1

static bool is_free_for (const lock_world *w, const interleave_step *s, uint32_t p) {
  if (w->writer[s->lock] && w->writer[s->lock] != p + 1) return false;
  for (uint32_t q = 0; q < MOST_PATHS; q++)
    if (q != p && !s->reads && w->readers[s->lock][q]) return false;
  return true;
}

// One step of path p; false: the locks do not allow it.
static bool execute_order (lock_world *w, const made *m, uint32_t p) {
  const interleave_step *s = &m->steps[p][w->at[p]++];
  if (s->op == INTERLEAVE_ACQUIRE) {
    if (!is_free_for (w, s, p)) return false;
    if (s->reads && !w->writer[s->lock]) w->readers[s->lock][p]++;
    else w->writer[s->lock] = p + 1, w->count[s->lock]++;
  } else if (s->op == INTERLEAVE_RELEASE) {
    if (w->readers[s->lock][p]) w->readers[s->lock][p]--;
    else if (w->writer[s->lock] != p + 1) return false;
    else if (!--w->count[s->lock]) w->writer[s->lock] = 0;
  }
  return true;
}

static void assert_interleaving_legal (const made *m, const interleave_order *order) {
  lock_world w = {0};
  uint32_t total = 0;
  for (uint32_t p = 0; p < m->count; p++) total += m->paths[p].count;
  assert_int_equal (order->count, total);
  for (uint32_t k = 0; k < order->count; k++) assert_true (execute_order (&w, m, order->data[k]));
  for (uint32_t p = 0; p < m->count; p++) assert_int_equal (w.at[p], m->paths[p].count);
}

// All interleavings.
static bool can_finish (const made *m, const lock_world *w) {
  bool finished = true;
  for (uint32_t p = 0; p < m->count; p++) {
    if (w->at[p] == m->paths[p].count) continue;
    finished = false;
    lock_world next = *w;
    if (execute_order (&next, m, p) && can_finish (m, &next)) return true;
  }
  return finished;
}

// ---- writing paths -----------------------------------------------------------------------------------------------
// "a b B r R": a letter acquires, its capital releases; 'r' in front of a letter: for reading; '.' does nothing.
static void add_interleave_path (made *m, const char *text) {
  uint32_t p = m->count++, count = 0;
  for (bool reads = false; *text; text++) {
    if (*text == ' ') continue;
    if (*text == '.') m->steps[p][count++] = (interleave_step){0};
    else if (*text == 'r') reads = true;
    else {
      bool takes = *text >= 'a';
      m->steps[p][count++] = (interleave_step){takes ? INTERLEAVE_ACQUIRE : INTERLEAVE_RELEASE, reads,
                                               (uint32_t) (takes ? *text - 'a' : *text - 'A')};
      reads = false;
    }
  }
  m->paths[p] = (interleave_path){.steps = m->steps[p], .count = count};
}

static made *make_interleaving (const char *one, const char *two, const char *three) {
  made *m = calloc (1, sizeof *m);
  add_interleave_path (m, one);
  if (two) add_interleave_path (m, two);
  if (three) add_interleave_path (m, three);
  return m;
}

static void expect_interleaving (const char *one, const char *two, const char *three, const char *order) {
  made *m = make_interleaving (one, two, three);
  interleave_order found = {0};
  assert_int_equal (interleave_paths (m->paths, m->count, &found), order != NULL);
  if (order) {
    assert_interleaving_legal (m, &found);
    char text[3 * LONGEST + 1] = {0};
    for (uint32_t k = 0; k < found.count; k++) text[k] = (char) ('1' + found.data[k]);
    if (*order) assert_string_equal (text, order);
  }
  vec_release (&found);
  free (m);
}

static void paper_example_interleaves (void **state) {
  (void) state;
  // c1 c2(d1 d2) c3 | g1 g2 g3(h1 h2): c1 d1 d2 g1 g2 h1 h2 c3
  expect_interleaving ("a cC b", "c d bB", NULL, "11122221");
  expect_interleaving ("a cC b", "c d aA", NULL, NULL);  // acq_rel_a at g3
}

static void by_hand (void **state) {
  (void) state;
  expect_interleaving ("a", "a", NULL, NULL);
  expect_interleaving ("aA", "aA", NULL, "1122");
  expect_interleaving ("ra", "ra", NULL, "12");
  expect_interleaving ("ra", "raA a", NULL, NULL);
  expect_interleaving ("ra", "aA ra", NULL, "2221");
  expect_interleaving ("a a A", "b", NULL, "1112");  // recursive, held once
  expect_interleaving ("a a A", "aA", NULL, "22111");
  expect_interleaving ("..", "a.", NULL, "1122");
  // pairwise possible, together not: each must wait for the next one's last step
  expect_interleaving ("a bB", "b cC", "c aA", NULL);
  expect_interleaving ("a bB", "b cC", NULL, "111222");
  // hand over hand: not nested
  expect_interleaving ("a b A c B", "aA bB", NULL, "");
}

static void creation (void **state) {
  (void) state;
  interleave_step first[] = {{INTERLEAVE_ACQUIRE, false, 0},
                             {INTERLEAVE_CREATE, false, 1},
                             {INTERLEAVE_RELEASE, false, 0},
                             {INTERLEAVE_NOTHING, false, 0}};
  interleave_step second[] = {{INTERLEAVE_ACQUIRE, false, 0}};
  interleave_path paths[] = {{first, 4, false}, {second, 1, true}};
  interleave_order found = {0};
  assert_true (interleave_paths (paths, 2, &found));
  assert_int_equal (found.data[4], 1);
  paths[0].count = 1;  // it is never created
  assert_false (interleave_paths (paths, 2, &found));
  paths[0].count = 2;  // and here under the lock it wants
  assert_false (interleave_paths (paths, 2, &found));
  vec_release (&found);
}

static void atomic_and_once (void **state) {
  (void) state;
  interleave_step inside[] = {{INTERLEAVE_BEGIN_ATOMIC, false, 0}, {INTERLEAVE_ACQUIRE, false, 0}};
  interleave_step other[] = {{INTERLEAVE_ACQUIRE, false, 0}, {INTERLEAVE_RELEASE, false, 0}};
  interleave_path paths[] = {{inside, 2, false}, {other, 2, false}};
  interleave_order found = {0};
  assert_true (interleave_paths (paths, 2, &found));
  assert_int_equal (found.data[0], 1);
  assert_int_equal (found.data[1], 1);
  interleave_step runs[] = {{INTERLEAVE_BEGIN_ONCE, false, 0}, {INTERLEAVE_END_ONCE, false, 0}},
                  passes[] = {{INTERLEAVE_PASS_ONCE, false, 0}};
  interleave_path once[] = {{passes, 1, false}, {runs, 2, false}};
  assert_true (interleave_paths (once, 2, &found));
  assert_int_equal (found.data[2], 0);
  interleave_path twice[] = {{runs, 2, false}, {runs, 2, false}};
  assert_false (interleave_paths (twice, 2, &found));
  interleave_path stays[] = {{passes, 1, false}, {runs, 1, false}};  // a path inside began before the routine was done
  assert_false (interleave_paths (stays, 2, &found));
  vec_release (&found);
}

// ---- random paths ------------------------------------------------------------------------------------------------
typedef struct path_summary {
  uint32_t held, history[LOCKS];
} path_summary;  // sets of locks

static void random_lock_path (made *m, rng *r, uint32_t length, bool nested, path_summary *out) {
  uint32_t p = m->count++, count = 0, stack[LOCKS], depth = 0, held = 0;
  memset (out, 0, sizeof *out);
  while (count < length) {
    uint32_t l = rng_below (r, LOCKS);
    if (!(held >> l & 1) && depth < LOCKS) {
      m->steps[p][count++] = (interleave_step){INTERLEAVE_ACQUIRE, false, l};
      for (uint32_t k = 0; k < LOCKS; k++)
        if (held >> k & 1) out->history[k] |= 1u << l;
      out->history[l] = 0;
      stack[depth++] = l;
      held |= 1u << l;
    } else if (depth) {
      uint32_t k = nested ? depth - 1 : rng_below (r, depth);
      m->steps[p][count++] = (interleave_step){INTERLEAVE_RELEASE, false, stack[k]};
      held &= ~(1u << stack[k]);
      memmove (stack + k, stack + k + 1, (depth - k - 1) * sizeof *stack);
      depth--;
    }
  }
  out->held = held;
  m->paths[p] = (interleave_path){.steps = m->steps[p], .count = count};
}

static bool theorem_5 (const path_summary *a, const path_summary *b) {
  if (a->held & b->held) return false;
  for (uint32_t l = 0; l < LOCKS; l++)
    for (uint32_t k = 0; k < LOCKS; k++)
      if (a->held >> l & 1 && b->held >> k & 1 && a->history[l] >> k & 1 && b->history[k] >> l & 1) return false;
  return true;
}

static void nested_pairs_obey_theorem_5 (void **state) {
  (void) state;
  rng r = {5};
  uint32_t possible = 0;
  for (uint32_t round = 0; round < 4000; round++) {
    made m = {.count = 0};
    path_summary s[2];
    interleave_order found = {0};
    for (uint32_t p = 0; p < 2; p++) random_lock_path (&m, &r, rng_below (&r, LONGEST), true, &s[p]);
    bool merged = interleave_paths (m.paths, 2, &found);
    assert_int_equal (merged, theorem_5 (&s[0], &s[1]));
    if (merged) assert_interleaving_legal (&m, &found);
    possible += merged;
    vec_release (&found);
  }
  assert_in_range (possible, 500, 3500);
}

static void all_interleavings_agree (void **state) {
  (void) state;
  rng r = {7};
  uint32_t possible = 0;
  for (uint32_t round = 0; round < 1500; round++) {
    made m = {.count = 0};
    path_summary s;
    interleave_order found = {0};
    uint32_t paths = 2 + rng_below (&r, 2);
    bool nested = rng_below (&r, 2);
    for (uint32_t p = 0; p < paths; p++) random_lock_path (&m, &r, rng_below (&r, paths == 2 ? 9 : 6), nested, &s);
    bool merged = interleave_paths (m.paths, paths, &found);
    assert_int_equal (merged, can_finish (&m, &(lock_world){0}));
    if (merged) assert_interleaving_legal (&m, &found);
    possible += merged;
    vec_release (&found);
  }
  assert_in_range (possible, 200, 1400);
}

TEST_MAIN (cmocka_unit_test (paper_example_interleaves), cmocka_unit_test (by_hand), cmocka_unit_test (creation),
           cmocka_unit_test (atomic_and_once), cmocka_unit_test (nested_pairs_obey_theorem_5),
           cmocka_unit_test (all_interleavings_agree))
