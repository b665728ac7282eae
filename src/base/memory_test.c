// The counted heap against a list of blocks with their sizes: live bytes always equal the sum.
#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"

static void counts_live_and_peak (void **state) {
  (void) state;
  size_t before = mem_live_bytes ();
  char *p = mem_zalloc (1000);
  for (int i = 0; i < 1000; i++) assert_int_equal (p[i], 0);
  assert_int_equal (mem_live_bytes (), before + 1000);
  assert_true (mem_peak_bytes () >= before + 1000);
  p = mem_realloc (p, 1000, 10);
  assert_int_equal (mem_live_bytes (), before + 10);
  mem_free (p, 10);
  mem_free (NULL, 999);
  assert_int_equal (mem_live_bytes (), before);
}

static void grow_doubles (void **state) {
  (void) state;
  uint32_t capacity = 0;
  int *data = mem_grow (NULL, sizeof *data, 3, &capacity);
  assert_true (capacity >= 3);
  data[0] = 11;
  uint32_t before = capacity;
  data = mem_grow (data, sizeof *data, before + 1, &capacity);
  assert_true (capacity >= 2 * before);
  assert_int_equal (data[0], 11);
  assert_ptr_equal (mem_grow (data, sizeof *data, 1, &capacity), data);
  mem_free (data, sizeof *data * capacity);
}

typedef struct entry {
  unsigned char *data;
  size_t bytes;
  unsigned char pattern;
} entry;

static void random_against_list (void **state) {
  (void) state;
  enum { BLOCKS = 50 };
  entry blocks[BLOCKS] = {0};
  size_t sum = 0, base = mem_live_bytes ();
  rng r = {11};
  for (int step = 0; step < 5000; step++) {
    entry *b = &blocks[rng_below (&r, BLOCKS)];
    size_t bytes = rng_below (&r, 500);
    for (size_t i = 0; i < b->bytes; i++) assert_int_equal (b->data[i], b->pattern);
    sum -= b->bytes;
    if (b->data && rng_below (&r, 2)) {
      size_t kept = bytes < b->bytes ? bytes : b->bytes;
      b->data = mem_realloc (b->data, b->bytes, bytes);
      for (size_t i = 0; i < kept; i++) assert_int_equal (b->data[i], b->pattern);
    } else {
      mem_free (b->data, b->bytes);
      b->data = rng_below (&r, 2) ? mem_alloc (bytes) : mem_zalloc (bytes);
    }
    b->bytes = bytes;
    b->pattern = (unsigned char) step;
    memset (b->data, b->pattern, bytes);
    sum += bytes;
    assert_int_equal (mem_live_bytes (), base + sum);
    assert_true (mem_peak_bytes () >= mem_live_bytes ());
  }
  for (int i = 0; i < BLOCKS; i++) mem_free (blocks[i].data, blocks[i].bytes);
  assert_int_equal (mem_live_bytes (), base);
}

static jmp_buf back;
static void jump_back (void *state) {
  ++*(int *) state;
  longjmp (back, 1);
}

static void limit_calls_the_handler (void **state) {
  (void) state;
  static int calls;
  static char *held;
  size_t base = mem_live_bytes ();
  mem_set_limit (base + 10000);
  mem_set_exhausted_handler (jump_back, &calls);
  held = mem_alloc (8000);
  if (!setjmp (back)) {
    mem_alloc (4000);
    fail_msg ("an allocation beyond the limit should not return");
  }
  assert_int_equal (mem_live_bytes (), base + 8000);  // the refused block is not counted
  if (!setjmp (back)) {
    mem_realloc (held, 8000, 20000);
    fail_msg ("a reallocation beyond the limit should not return");
  }
  assert_int_equal (calls, 2);
  mem_set_limit (0);
  mem_set_exhausted_handler (NULL, NULL);
  held = mem_realloc (held, 8000, 20000);  // the old block was kept
  mem_free (held, 20000);
  assert_int_equal (mem_live_bytes (), base);
}

TEST_MAIN (cmocka_unit_test (counts_live_and_peak), cmocka_unit_test (grow_doubles),
           cmocka_unit_test (random_against_list), cmocka_unit_test (limit_calls_the_handler))
