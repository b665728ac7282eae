// Messages as the user sees them: standard error goes into a file while a message is made.  The random test places the
// caret under columns of random lines and compares with a line built by hand.
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/test.h"

static char seen[4096];

// What `call` wrote to standard error, in `seen`.
#define CAPTURE(CALL)                                         \
  do {                                                        \
    FILE *capture_file = tmpfile ();                          \
    int capture_saved = dup (STDERR_FILENO);                  \
    dup2 (fileno (capture_file), STDERR_FILENO);              \
    CALL;                                                     \
    fflush (stderr);                                          \
    dup2 (capture_saved, STDERR_FILENO);                      \
    close (capture_saved);                                    \
    rewind (capture_file);                                    \
    seen[fread (seen, 1, sizeof seen - 1, capture_file)] = 0; \
    fclose (capture_file);                                    \
  } while (0)

static void errors_without_a_place (void **state) {
  (void) state;
  CAPTURE (diag_error (NULL, 0, 0, "no %s", "way"));
  assert_string_equal (seen, "lockstep: error: no way\n");
  CAPTURE (diag_error ("x.c", 0, 0, "cannot read"));
  assert_string_equal (seen, "x.c: error: cannot read\n");
  CAPTURE (diag_error ("no-such-file.c", 3, 4, "bad"));
  assert_string_equal (seen, "no-such-file.c:3:4: error: bad\n");
}

static void verbosity_decides (void **state) {
  (void) state;
  diag_set_verbosity (-1);
  CAPTURE (diag_note ("hidden"); diag_verbose (1, "explicit", "hidden"); diag_warn ("shown"));
  assert_string_equal (seen, "lockstep: warning: shown\n");
  diag_set_verbosity (0);
  CAPTURE (diag_note ("note %d", 1); diag_verbose (1, "explicit", "hidden"));
  assert_string_equal (seen, "lockstep: note 1\n");
  diag_set_verbosity (1);
  assert_int_equal (diag_verbosity (), 1);
  CAPTURE (diag_verbose (1, "explicit", "%d states", 7); diag_verbose (2, "explicit", "hidden"));
  assert_string_equal (seen, "[explicit] 7 states\n");
  diag_set_verbosity (0);
}

static void caret_stands_under_its_column (void **state) {
  (void) state;
  char path[] = "/tmp/diag_test_XXXXXX";
  int descriptor = mkstemp (path);
  assert_true (descriptor >= 0);
  FILE *file = fdopen (descriptor, "w");
  enum { LINES = 40 };
  char lines[LINES][64];
  rng r = {21};
  for (int i = 0; i < LINES; i++) {
    uint32_t length = rng_below (&r, 60);
    for (uint32_t k = 0; k < length; k++) lines[i][k] = rng_below (&r, 6) ? (char) ('a' + rng_below (&r, 26)) : '\t';
    lines[i][length] = 0;
    fprintf (file, "%s\n", lines[i]);
  }
  fclose (file);
  for (int i = 0; i < 200; i++) {
    uint32_t line = 1 + rng_below (&r, LINES), column = 1 + rng_below (&r, 60);
    const char *text = lines[line - 1];
    char expected[512];
    int used = sprintf (expected, "%s:%u:%u: error: here\n%5u | %s\n", path, line, column, line, text);
    if (column <= strlen (text)) {
      used += sprintf (expected + used, "      | ");
      for (uint32_t k = 0; k + 1 < column; k++) expected[used++] = text[k] == '\t' ? '\t' : ' ';
      sprintf (expected + used, "^\n");
    }
    CAPTURE (diag_error (path, line, column, "here"));
    assert_string_equal (seen, expected);
  }
  unlink (path);
}

TEST_MAIN (cmocka_unit_test (errors_without_a_place), cmocka_unit_test (verbosity_decides),
           cmocka_unit_test (caret_stands_under_its_column))
