// Text made safe, against jansson's own check of what is valid.
#include <jansson.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "report/report_impl.h"

static void valid_text_is_kept (void **state) {
  (void) state;
  arena *a = arena_new ();
  const char *text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80";
  assert_ptr_equal (utf8_valid (a, text), text);
  assert_int_equal (utf8_width (text), 4);
  assert_int_equal (utf8_prefix (text, 2), 3);
  assert_string_equal (utf8_printable (a, "a\tb\033[0m"), "a b?[0m");
  arena_free (a);
}

static void random_bytes_become_valid (void **state) {
  (void) state;
  arena *a = arena_new ();
  rng r = {7};
  for (unsigned round = 0; round < 20000; round++) {
    static const unsigned char bytes[] = {0x41, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xA0, 0x9F,
                                          0xED, 0xF0, 0x90, 0x8F, 0xF4, 0xF5, 0xFF, 0x0A};
    char text[9] = {0};
    for (unsigned i = 0; i < 8; i++) text[i] = (char) bytes[rng_below (&r, sizeof bytes)];
    json_t *plain = json_string (text), *cleaned = json_string (utf8_valid (a, text));
    assert_non_null (cleaned);
    assert_int_equal (plain != NULL, utf8_valid (a, text) == text);  // only invalid text is changed
    json_decref (plain);
    json_decref (cleaned);
  }
  arena_free (a);
}

TEST_MAIN (cmocka_unit_test (valid_text_is_kept), cmocka_unit_test (random_bytes_become_valid))
