// A table of all kinds: its initial values as words are read again to the same record, words are read into the right
// fields, and what is no value is refused with the values that there are.  The random test compares the index of a
// word with a naive search.
#include <stdio.h>
#include <string.h>

#include "base/option.h"
#include "base/rng.h"
#include "base/test.h"

#define COLOUR_WORDS(WORD) WORD (COLOUR_RED, "red") WORD (COLOUR_BLUE, "blue") WORD (COLOUR_BLUISH, "bluish")
typedef enum colour { COLOUR_WORDS (OPTION_WORD_ID) } colour;

// clang-format off
#define SAMPLE_OPTIONS(OPTION)                                                                                     \
  OPTION (loud, bool, "--loud", FLAG, "", false, 0, 0, 0, 0, "a flag")                                             \
  OPTION (shade, colour, "--shade", CHOICE, OPTION_CHOICES (COLOUR_WORDS), COLOUR_BLUE, 0, 0, 0, 0, "a choice")    \
  OPTION (most, uint64_t, "--most", NUMBER, "N", 7, 3, 9, 0, 0, "a number")                                        \
  OPTION (pause, uint64_t, "--pause", TIME, "TIME", 1500, 0, 0, 0, 0, "a time")                                    \
  OPTION (room, uint64_t, "--room", SIZE, "[=SIZE]", 0, 0, 4096, 0, 0, "a size")                                   \
  OPTION (careful, bool, "--careful", SWITCH, "on|off", true, 0, 0, 0, 0, "a switch")                              \
  OPTION (label, const char *, "--label", TEXT, "LABEL", NULL, 0, 0, 0, 0, "a text")
// clang-format on

typedef struct sample_options {
  SAMPLE_OPTIONS (OPTION_FIELD)
} sample_options;

#define ROW(...) OPTION_ROW (sample_options, __VA_ARGS__)
static const option_row sample_rows[] = {SAMPLE_OPTIONS (ROW)};
static const sample_options sample_initial = {SAMPLE_OPTIONS (OPTION_INITIAL)};
static const option_table sample_table = OPTION_TABLE (sample_rows, sample_initial);

static bool set_sample (arena *a, const char *name, const char *value, sample_options *out) {
  const option_row *row = option_find (&sample_table, name);
  const char *allowed = NULL;
  option_setting s = {0};
  assert_non_null (row);
  if (!option_parse (row, a, value, &s, &allowed)) {
    assert_non_null (allowed);
    return false;
  }
  option_store (row, &s, out);
  return true;
}

static bool has_initial_values (const sample_options *o) {
  const sample_options *i = &sample_initial;
  return o->loud == i->loud && o->shade == i->shade && o->most == i->most && o->pause == i->pause &&
         o->room == i->room && o->careful == i->careful && o->label == i->label;
}

static void words_reach_their_fields (void **state) {
  (void) state;
  arena *a = arena_new ();
  sample_options o = sample_initial;
  assert_true (set_sample (a, "--loud", "", &o) && set_sample (a, "--shade", "bluish", &o) &&
               set_sample (a, "--most", "9", &o));
  assert_true (set_sample (a, "--pause", "2m", &o) && set_sample (a, "--room", "", &o) &&
               set_sample (a, "--careful", "off", &o));
  assert_true (set_sample (a, "--label", "x", &o));
  assert_true (o.loud && o.shade == COLOUR_BLUISH && o.most == 9 && o.pause == 120000 && o.room == 4096 && !o.careful);
  assert_string_equal (o.label, "x");
  arena_free (a);
}

static void others_are_refused (void **state) {
  (void) state;
  static const char *const bad[][2] = {{"--shade", "blu"},
                                       {"--shade", ""},
                                       {"--shade", "red|blue"},
                                       {"--most", "2"},
                                       {"--most", "10"},
                                       {"--most", "x"},
                                       {"--pause", "3d"},
                                       {"--pause", "."},
                                       {"--room", "4GB"},
                                       {"--careful", "yes"},
                                       {"--careful", "of"},
                                       {"--label", ""},
                                       {"--most", "18446744073709551617"},
                                       {"--pause", "-1"},
                                       {"--room", "many"}};
  arena *a = arena_new ();
  sample_options o = sample_initial;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (set_sample (a, bad[k][0], bad[k][1], &o)) fail_msg ("%s=%s should be refused", bad[k][0], bad[k][1]);
  assert_true (has_initial_values (&o));
  arena_free (a);
}

static void initial_values_are_words (void **state) {
  (void) state;
  arena *a = arena_new ();
  sample_options o;
  memset (&o, 0, sizeof o);
  for (uint32_t k = 0; k < sample_table.count; k++) {
    const option_row *row = &sample_table.rows[k];
    const char *text = option_initial (&sample_table, row, a);
    if (text && *text) assert_true (set_sample (a, row->name, text, &o));
  }
  assert_true (has_initial_values (&o));
  assert_string_equal (option_initial (&sample_table, option_find (&sample_table, "--shade"), a), "blue");
  assert_null (option_find (&sample_table, "--shades"));
  arena_free (a);
}

static void random_words_are_found (void **state) {
  (void) state;
  rng r = {1};
  for (int round = 0; round < 2000; round++) {
    char words[40] = "", list[8][4] = {{0}};
    uint32_t count = 1 + rng_below (&r, 7), asked = rng_below (&r, 8), expected = UINT32_MAX;
    for (uint32_t k = 0; k < 8; k++)
      snprintf (list[k], sizeof list[k], rng_below (&r, 2) ? "%c" : "%ca", 'a' + (int) rng_below (&r, 4));
    for (uint32_t k = 0; k < count; k++) {
      snprintf (words + strlen (words), sizeof words - strlen (words), "%s%s", k ? "|" : "", list[k]);
      if (expected == UINT32_MAX && !strcmp (list[k], list[asked])) expected = k;
    }
    assert_int_equal (option_word_index (words, list[asked]), expected);
  }
}

TEST_MAIN (cmocka_unit_test (words_reach_their_fields), cmocka_unit_test (others_are_refused),
           cmocka_unit_test (initial_values_are_words), cmocka_unit_test (random_words_are_found))
