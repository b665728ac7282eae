// Words of a line: the rules one by one, and random words that are quoted and split again.
#include "base/words.h"

#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "base/test.h"

static void check_split (const char *line, bool closed, const char *expected) {
  arena *a = arena_new ();
  word_list words = {0};
  assert_int_equal (words_split (a, line, &words), closed);
  strbuf text = {0};
  for (uint32_t i = 0; i < words.count; i++) strbuf_printf (&text, "<%s>", words.data[i]);
  assert_string_equal (strbuf_text (&text), expected);
  strbuf_release (&text);
  vec_release (&words);
  arena_free (a);
}

static void splits_as_a_shell (void **state) {
  (void) state;
  check_split ("", true, "");
  check_split ("  gcc\t-c  a.c \n", true, "<gcc><-c><a.c>");
  check_split ("cc '-DX=a b' \"-DY=c \\\"d\\\"\" -DZ=e\\ f", true, "<cc><-DX=a b><-DY=c \"d\"><-DZ=e f>");
  check_split ("cc -DEMPTY='' \"\" '\\n' \"\\n\" a'b'\"c\"", true, "<cc><-DEMPTY=><><\\n><\\n><abc>");
  check_split ("cc 'open", false, "<cc><open>");
  check_split ("cc \"it's", false, "<cc><it's>");
  check_split ("cc end\\", true, "<cc><end\\>");
}

// In one of three ways: a backslash before each character, or one of the two quotations.
static void quote (rng *r, const char *word, strbuf *out) {
  unsigned way = (unsigned) rng_below (r, 3);
  if (way == 0 && *word)
    for (const char *c = word; *c; c++) strbuf_printf (out, "\\%c", *c);
  else if (way == 1 && !strchr (word, '\'')) strbuf_printf (out, "'%s'", word);
  else {
    strbuf_add_char (out, '"');
    for (const char *c = word; *c; c++) strbuf_printf (out, strchr ("\"\\$`", *c) ? "\\%c" : "%c", *c);
    strbuf_add_char (out, '"');
  }
}

static void random_words_come_back (void **state) {
  (void) state;
  static const char characters[] = "ab \t\n'\"\\$`-=";
  for (uint64_t seed = 1; seed <= 300; seed++) {
    rng r = {seed};
    char model[8][8] = {0};
    uint32_t count = (uint32_t) rng_below (&r, 8);
    strbuf line = {0};
    for (uint32_t i = 0; i < count; i++) {
      for (uint64_t k = 0, length = rng_below (&r, 8); k < length; k++)
        model[i][k] = characters[rng_below (&r, sizeof characters - 1)];
      quote (&r, model[i], &line);
      strbuf_add (&line, rng_below (&r, 2) ? " " : "\t\n");
    }
    arena *a = arena_new ();
    word_list words = {0};
    assert_true (words_split (a, strbuf_text (&line), &words));
    assert_int_equal (words.count, count);
    for (uint32_t i = 0; i < count; i++) assert_string_equal (words.data[i], model[i]);
    vec_release (&words);
    arena_free (a);
    strbuf_release (&line);
  }
}

TEST_MAIN (cmocka_unit_test (splits_as_a_shell), cmocka_unit_test (random_words_come_back))
