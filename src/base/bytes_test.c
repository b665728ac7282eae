// What is written is read back; what is cut off, too long or out of range is noticed, and reading goes on with zeros.
#include "base/bytes.h"

#include <string.h>

#include "base/rng.h"
#include "base/test.h"

typedef struct pair {
  uint16_t x, y;
} pair;

static void put_all (strbuf *b) {
  static const pair pairs[] = {{1, 2}, {3, 4}, {5, 6}};
  bytes_put_u32 (b, 70000);
  bytes_put_text (b, "text");
  bytes_put_text (b, NULL);
  bytes_put_text (b, "");
  bytes_put_u64 (b, (uint64_t) 9 << 40);
  bytes_put_list (b, pairs, 3, sizeof *pairs);
  bytes_put_list (b, NULL, 0, sizeof *pairs);
}

static void what_is_put_comes_back (void **state) {
  (void) state;
  arena *a = arena_new ();
  strbuf b = {0};
  VEC (pair) pairs = {0}, none = {0};
  put_all (&b);
  bytes_reader r = bytes_read (a, b.data, b.count);
  assert_int_equal (bytes_get_u32 (&r), 70000);
  assert_string_equal (bytes_get_text (&r), "text");
  assert_null (bytes_get_text (&r));
  assert_string_equal (bytes_get_some_text (&r), "");
  assert_true (bytes_get_u64 (&r) == (uint64_t) 9 << 40);
  assert_false (bytes_are_read (&r));
  BYTES_GET_VEC (&r, &pairs);
  BYTES_GET_VEC (&r, &none);
  assert_int_equal (pairs.count, 3);
  assert_int_equal (pairs.data[2].y, 6);
  assert_int_equal (none.count, 0);
  assert_true (bytes_are_read (&r));
  assert_int_equal (bytes_get_u32 (&r), 0);
  assert_false (bytes_are_read (&r));
  vec_release (&pairs);
  strbuf_release (&b);
  arena_free (a);
}

static void numbers_out_of_range_are_bad (void **state) {
  (void) state;
  arena *a = arena_new ();
  strbuf b = {0};
  bytes_put_u32 (&b, 5);
  bytes_put_u32 (&b, 5);
  bytes_reader r = bytes_read (a, b.data, b.count);
  assert_int_equal (bytes_get_below (&r, 6), 5);
  assert_int_equal (bytes_get_below (&r, 5), 0);
  assert_true (r.is_bad);
  r = bytes_read (a, b.data, b.count);
  assert_int_equal (bytes_get_count (&r, 1), 0);  // five things cannot follow in four bytes
  assert_true (r.is_bad);
  strbuf_clear (&b);
  bytes_put_text (&b, NULL);
  r = bytes_read (a, b.data, b.count);
  assert_string_equal (bytes_get_some_text (&r), "");
  assert_true (r.is_bad);
  r = bytes_read (NULL, NULL, 0);
  assert_true (bytes_are_read (&r));
  assert_int_equal (bytes_get_u64 (&r), 0);
  assert_true (r.is_bad);
  strbuf_release (&b);
  arena_free (a);
}

static bool get_all (bytes_reader *r) {
  VEC (pair) pairs = {0};
  bytes_get_u32 (r);
  for (int k = 0; k < 3; k++) bytes_get_text (r);
  bytes_get_u64 (r);
  BYTES_GET_VEC (r, &pairs);
  BYTES_GET_VEC (r, &pairs);
  vec_release (&pairs);
  return bytes_are_read (r);
}

// Neither a beginning of the bytes nor changed ones are read beyond their end (a sanitizer sees if they are), and
// no beginning is taken for all.
static void damaged_bytes_do_no_harm (void **state) {
  (void) state;
  strbuf b = {0};
  rng random = {1};
  uint32_t noticed = 0;
  put_all (&b);
  for (uint32_t count = 0; count <= b.count; count++) {
    arena *a = arena_new ();
    char *part = mem_alloc (count + 1);
    memcpy (part, b.data, count);
    bytes_reader r = bytes_read (a, part, count);
    assert_int_equal (get_all (&r), count == b.count);
    mem_free (part, count + 1);
    arena_free (a);
  }
  for (uint32_t round = 0; round < 1000; round++) {
    arena *a = arena_new ();
    uint32_t at = rng_below (&random, b.count);
    char before = b.data[at];
    b.data[at] ^= (char) (1u << rng_below (&random, 8));
    bytes_reader r = bytes_read (a, b.data, b.count);
    noticed += !get_all (&r);
    b.data[at] = before;
    arena_free (a);
  }
  assert_true (noticed > 100);
  strbuf_release (&b);
}

TEST_MAIN (cmocka_unit_test (what_is_put_comes_back), cmocka_unit_test (numbers_out_of_range_are_bad),
           cmocka_unit_test (damaged_bytes_do_no_harm))
