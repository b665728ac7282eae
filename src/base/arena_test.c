// Arena: blocks that do not overlap, alignment, marks.  The random test fills every piece with its own pattern and
// reads all patterns back, across marks and resets.
#include "base/arena.h"

#include <string.h>

#include "base/rng.h"
#include "base/test.h"

static void aligned_and_zeroed (void **state) {
  (void) state;
  arena *a = arena_new ();
  for (size_t bytes = 0; bytes < 300; bytes++) {
    unsigned char *p = arena_zalloc (a, bytes);
    assert_int_equal ((uintptr_t) p % 16, 0);
    for (size_t i = 0; i < bytes; i++) assert_int_equal (p[i], 0);
    memset (p, 0xff, bytes);
  }
  arena_free (a);
}

static void strings (void **state) {
  (void) state;
  arena *a = arena_new ();
  char text[] = "copied";
  char *copy = arena_strdup (a, text);
  text[0] = 'C';
  assert_string_equal (copy, "copied");
  assert_string_equal (arena_printf (a, "%s-%d", copy, 42), "copied-42");
  assert_string_equal (arena_printf (a, "%s", ""), "");
  arena_free (a);
  arena_free (NULL);
}

static void large_requests (void **state) {
  (void) state;
  arena *a = arena_new ();
  char *small = arena_strdup (a, "small");
  size_t bytes = (size_t) 5 << 20;
  memset (arena_alloc (a, bytes), 1, bytes);
  assert_true (arena_bytes (a) >= bytes);
  assert_string_equal (small, "small");
  arena_free (a);
}

typedef struct piece {
  unsigned char *data;
  size_t bytes;
  unsigned char pattern;
} piece;
typedef struct level {
  arena_mark mark;
  uint32_t count;
} level;

static void random_against_patterns (void **state) {
  (void) state;
  static piece pieces[3000];
  static level levels[3000];
  uint32_t count = 0, depth = 0;
  arena *a = arena_new ();
  rng r = {7};
  for (int step = 0; step < 3000; step++) {
    uint32_t what = rng_below (&r, 20);
    if (what == 0) levels[depth++] = (level){arena_get_mark (a), count};
    else if (what == 1 && depth) {
      depth -= 1 + rng_below (&r, depth < 3 ? depth : 3);  // back by up to three marks at once
      arena_reset (a, levels[depth].mark);
      count = levels[depth].count;
    } else {
      size_t bytes = rng_below (&r, rng_below (&r, 50) ? 100 : 20000);
      pieces[count] = (piece){arena_alloc (a, bytes), bytes, (unsigned char) step};
      memset (pieces[count].data, pieces[count].pattern, bytes);
      count++;
    }
    if (step % 50 == 0)
      for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < pieces[i].bytes; k++) assert_int_equal (pieces[i].data[k], pieces[i].pattern);
  }
  arena_free (a);
}

static void reset_gives_memory_back (void **state) {
  (void) state;
  arena *a = arena_new ();
  arena_alloc (a, 10);
  arena_mark mark = arena_get_mark (a);
  size_t before = arena_bytes (a), live = mem_live_bytes ();
  for (int i = 0; i < 1000; i++) arena_alloc (a, 1000);
  assert_true (arena_bytes (a) > before);
  arena_reset (a, mark);
  assert_int_equal (arena_bytes (a), before);
  assert_int_equal (mem_live_bytes (), live);
  arena_free (a);
}

TEST_MAIN (cmocka_unit_test (aligned_and_zeroed), cmocka_unit_test (strings), cmocka_unit_test (large_requests),
           cmocka_unit_test (random_against_patterns), cmocka_unit_test (reset_gives_memory_back))
