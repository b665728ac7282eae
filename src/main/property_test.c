// Property lists and SV-COMP property files.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "main/options.h"

static char last_specification[200];

static bool parse (const char *text, property_choice *out, strbuf *why) {
  arena *a = arena_new ();
  bool good = property_parse (a, text, NULL, out, why);
  last_specification[0] = 0;
  if (out->specification) snprintf (last_specification, sizeof last_specification, "%s", out->specification);
  out->specification = NULL;  // the arena owns it
  bool other_entry = out->entry != NULL;
  arena_free (a);
  out->entry = other_entry ? "other" : NULL;
  return good;
}

static void lists (void **state) {
  (void) state;
  static const struct {
    const char *text;
    uint32_t properties;
    const char *why;
  } cases[] = {{"race", 1 << IR_P_RACE, NULL},
               {"race,assert", 1 << IR_P_RACE | 1 << IR_P_ASSERT, NULL},
               {"race, overflow", 1 << IR_P_RACE | 1 << IR_P_OVERFLOW, NULL},
               {"leak,uninit", 1 << IR_P_LEAK | 1 << IR_P_UNINIT, NULL},
               {"all", (1 << IR_NUM_PROPERTIES) - 1 - (1 << IR_P_LEAK), NULL},
               {"", 0, "empty"},
               {",", 0, "empty"},
               {"rase", 0, "did you mean race?"},
               {"race,Dedlock", 0, "did you mean deadlock?"},
               {"xyz", 0, "there are assert, race"},
               {"missing.prp", 0, "cannot read missing.prp"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    property_choice choice;
    strbuf why = {0};
    assert_int_equal (parse (cases[i].text, &choice, &why), cases[i].why == NULL);
    if (cases[i].why) assert_non_null (strstr (strbuf_text (&why), cases[i].why));
    else assert_int_equal (choice.properties, cases[i].properties);
    strbuf_release (&why);
  }
}

static void files (void **state) {
  (void) state;
  static const struct {
    const char *text;
    uint32_t properties;
    bool all_leaks, entry;
    const char *why;
  } cases[] = {{"CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", 1 << IR_P_ASSERT, false, false, NULL},
               {"CHECK( init(main()), LTL(G ! data-race) )", 1 << IR_P_RACE, false, false, NULL},
               {"# memory\nCHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n",
                1 << IR_P_MEMORY, false, false, NULL},
               {"CHECK( init(main()), LTL(G valid-memtrack) )", 1 << IR_P_LEAK, false, false, NULL},
               {"CHECK( init(main()), LTL(G valid-memcleanup) )", 1 << IR_P_LEAK, true, false, NULL},
               {"CHECK( init(start()), LTL(G ! overflow) )", 1 << IR_P_OVERFLOW, false, true, NULL},
               {"CHECK( init(main()), LTL(F end) )", 0, false, false, "does not decide termination"},
               {"CHECK( init(main()), LTL(G ! call(reach_error()) )", 0, false, false, "expected CHECK"},
               {"CHECK(", 0, false, false, "expected CHECK"},
               {"race", 0, false, false, "expected CHECK"},
               {"\n", 0, false, false, "holds no property"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[] = "lockstep_XXXXXX.prp";
    int fd = mkstemps (path, 4);
    assert_true (fd >= 0);
    assert_int_equal (write (fd, cases[i].text, strlen (cases[i].text)), (ssize_t) strlen (cases[i].text));
    close (fd);
    property_choice choice;
    strbuf why = {0};
    bool good = parse (path, &choice, &why);
    unlink (path);
    assert_int_equal (good, cases[i].why == NULL);
    if (!good) assert_non_null (strstr (strbuf_text (&why), cases[i].why));
    else {
      assert_true (!strncmp (last_specification, "CHECK( init(", 12) && !strchr (last_specification, '#'));
      assert_int_equal (choice.properties, cases[i].properties);
      assert_int_equal (choice.all_leaks, cases[i].all_leaks);
      assert_int_equal (choice.entry != NULL, cases[i].entry);
    }
    strbuf_release (&why);
  }
}

TEST_MAIN (cmocka_unit_test (lists), cmocka_unit_test (files))
