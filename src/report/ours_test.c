// Which files count as written by lockstep.  That each writer's files do is tested by tests/cli/outputs.sh.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "report/report.h"

static bool is_ours (const char *text, size_t size) {
  char name[] = "lockstep_ours_test_XXXXXX";
  int file = mkstemp (name);
  assert_true (file >= 0 && write (file, text, size) == (ssize_t) size);
  close (file);
  bool ours = report_is_ours (name);
  unlink (name);
  return ours;
}

static void knows_its_own (void **state) {
  (void) state;
  static const char *const texts[] = {
      "",
      "{\n  \"tool\": \"lockstep\",\n",
      "<!DOCTYPE html>\n<meta name=\"generator\" content=\"lockstep\">",
      "<?xml version=\"1.0\"?>\n<data key=\"producer\">lockstep 0.1.0</data>",
      "lockstep 0.1.0\nprogram 0123456789abcdef\n",
      "; lockstep 0.1.0\n; program 0123456789abcdef\n",
      "aag 1 1 0 0 0\n2\nc\nlockstep 0.1.0\n",
      "// 3 predicates, cartesian, after 0 refinements\n",
      "// not in it, if it can happen: a call of f\n// 3 predicates, exact, after 2 refinements\n",
      "# accepted\n0123456789abcdef race: x\n\nfedcba9876543210 race: y\n"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) assert_true (is_ours (texts[i], strlen (texts[i])));
}

static void leaves_others (void **state) {
  (void) state;
  static const char *const texts[] = {"int main (void) { return 0; }\n",
                                      "\n",
                                      "/* lockstep */ int x;\n",
                                      "{\"tool\": \"other\"}",
                                      "[{\"directory\": \"/\", \"file\": \"lockstep.c\"}]",
                                      "<!DOCTYPE html>\n<p>lockstep</p>",
                                      "lockstep is a model checker\n",
                                      "// 3 predicates are enough\n",
                                      "// not in it, if it can happen: ",
                                      "# only a comment\n",
                                      "0123456789abcdef race: x\nint main (void);\n",
                                      "0123456789abcdef",
                                      "aag 1 1 0 0 0\n2\nc\nanother tool\n",
                                      "CHECK( init(main()), LTL(G ! data-race) )\n",
                                      "\0\0\0\0"};
  for (unsigned i = 0; i + 1 < sizeof texts / sizeof *texts; i++) assert_false (is_ours (texts[i], strlen (texts[i])));
  assert_false (is_ours (texts[sizeof texts / sizeof *texts - 1], 4));
  assert_false (report_is_ours ("no/such/file"));
  assert_false (report_is_ours ("."));
}

static void finds_the_mark_behind_a_large_circuit (void **state) {
  (void) state;
  enum { SIZE = 200000 };
  char *text = calloc (SIZE + 100, 1);
  memset (text, 7, SIZE);
  memcpy (text, "aig 1 1 0 0 0\n", 14);
  strcpy (text + SIZE, "\nc\nlockstep 0.1.0\n");
  assert_true (is_ours (text, SIZE + strlen (text + SIZE)));
  assert_false (is_ours (text, SIZE));
  free (text);
}

TEST_MAIN (cmocka_unit_test (knows_its_own), cmocka_unit_test (leaves_others),
           cmocka_unit_test (finds_the_mark_behind_a_large_circuit))
