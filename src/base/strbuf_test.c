// String buffer against a large fixed array written with snprintf.
#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"

static void empty_is_a_text (void **state) {
  (void) state;
  strbuf s = {0};
  assert_string_equal (strbuf_text (&s), "");
  strbuf_add (&s, "");
  strbuf_add_bytes (&s, NULL, 0);
  assert_string_equal (strbuf_text (&s), "");
  strbuf_release (&s);
  assert_null (s.data);
}

static void keeps_bytes_that_are_zero (void **state) {
  (void) state;
  strbuf s = {0};
  strbuf_add_bytes (&s, "a\0b", 3);
  assert_int_equal (s.count, 3);
  assert_memory_equal (s.data, "a\0b", 4);
  strbuf_clear (&s);
  assert_string_equal (strbuf_text (&s), "");
  strbuf_release (&s);
}

static void random_against_array (void **state) {
  (void) state;
  static char model[1 << 16];
  for (uint64_t seed = 1; seed <= 20; seed++) {
    size_t count = 0;
    strbuf s = {0};
    rng r = {seed};
    for (int step = 0; step < 1000; step++) {
      unsigned number = (unsigned) rng_next (&r);
      switch (rng_below (&r, 5)) {
      case 0:
        count += (size_t) sprintf (model + count, "%u:%-6s|", number, "xy");
        strbuf_printf (&s, "%u:%-6s|", number, "xy");
        break;
      case 1:
        count += (size_t) sprintf (model + count, "word");
        strbuf_add (&s, "word");
        break;
      case 2:
        model[count++] = (char) ('a' + number % 26);
        strbuf_add_char (&s, (char) ('a' + number % 26));
        break;
      case 3: {
        size_t length = number % 40;
        memset (model + count, '#', length);
        strbuf_add_bytes (&s, model + count, length);
        count += length;
        break;
      }
      default:
        if (number % 200) break;
        strbuf_clear (&s);
        count = 0;
      }
      model[count] = 0;
      assert_int_equal (s.count, count);
      if (number % 16 == 0) assert_string_equal (strbuf_text (&s), model);
    }
    assert_string_equal (strbuf_text (&s), model);
    strbuf_release (&s);
  }
}

TEST_MAIN (cmocka_unit_test (empty_is_a_text), cmocka_unit_test (keeps_bytes_that_are_zero),
           cmocka_unit_test (random_against_array))
