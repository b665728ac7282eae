// Report files: replaced as a whole or not at all.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test.h"
#include "report/report.h"

static char directory[] = "lockstep_file_test_XXXXXX";

static int enter_directory (void **state) {
  (void) state;
  return mkdtemp (directory) && chdir (directory) == 0 ? 0 : -1;
}

static int leave_directory (void **state) {
  (void) state;
  return chdir ("..") == 0 && rmdir (directory) == 0 ? test_no_live_bytes (state)
                                                     : -1;  // fails if a temporary file was left
}

static bool write_hello (const report_input *input, FILE *f) {
  (void) input;
  return fputs ("hello\n", f) >= 0;
}

static bool write_half (const report_input *input, FILE *f) {
  (void) input;
  fputs ("hal", f);
  return false;
}

static void assert_content (const char *path, const char *expected) {
  char text[64] = {0};
  FILE *f = fopen (path, "r");
  assert_non_null (f);
  assert_true (fread (text, 1, sizeof text - 1, f) < sizeof text);
  fclose (f);
  assert_string_equal (text, expected);
}

static void writes_and_replaces (void **state) {
  (void) state;
  strbuf why = {0};
  assert_true (report_file_probe ("r.json", true, &why));
  assert_int_equal (access ("r.json", F_OK), -1);  // report_file_probe leaves no file behind
  assert_true (report_file_write ("r.json", true, write_hello, NULL, &why));
  assert_content ("r.json", "hello\n");
  assert_int_equal (chmod ("r.json", 0600), 0);
  assert_false (report_file_write ("r.json", true, write_half, NULL, &why));
  assert_non_null (strstr (strbuf_text (&why), "cannot write r.json"));
  assert_content ("r.json", "hello\n");
  assert_true (report_file_write ("r.json", true, write_hello, NULL, &why));
  struct stat info;
  assert_int_equal (stat ("r.json", &info), 0);
  assert_int_equal (info.st_mode & 0777, 0600);
  unlink ("r.json");
  strbuf_release (&why);
}

static void keeps_links (void **state) {
  (void) state;
  strbuf why = {0};
  assert_true (report_file_write ("target", true, write_half, NULL, &why) == false);
  assert_true (report_file_write ("target", true, write_hello, NULL, &why));
  assert_int_equal (symlink ("target", "link"), 0);
  assert_true (report_file_write ("link", true, write_hello, NULL, &why));
  struct stat info;
  assert_int_equal (lstat ("link", &info), 0);
  assert_true (S_ISLNK (info.st_mode));
  unlink ("link");
  unlink ("target");
  strbuf_release (&why);
}

static void says_what_is_in_the_way (void **state) {
  (void) state;
  static const char *const paths[] = {"", ".", "no/such/directory/r.json"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    strbuf why = {0};
    assert_false (report_file_probe (paths[i], true, &why));
    assert_non_null (strstr (strbuf_text (&why), "cannot write"));
    strbuf_release (&why);
  }
}

static void full_disk_is_an_error (void **state) {
  (void) state;
  if (access ("/dev/full", W_OK)) skip ();
  strbuf why = {0};
  assert_true (report_file_probe ("/dev/full", true, &why));
  assert_false (report_file_write ("/dev/full", true, write_hello, NULL, &why));
  assert_non_null (strstr (strbuf_text (&why), "No space left"));
  strbuf_release (&why);
}

// A file that lockstep did not write stays, unless --force is given.
static void spares_foreign_files (void **state) {
  (void) state;
  strbuf why = {0};
  assert_true (report_file_write ("x.c", true, write_hello, NULL, &why));
  assert_false (report_file_probe ("x.c", false, &why));
  assert_non_null (strstr (strbuf_text (&why), "not a report of lockstep"));
  assert_false (report_file_write ("x.c", false, write_hello, NULL, &why));
  assert_int_equal (truncate ("x.c", 0), 0);
  assert_false (report_file_write ("x.c", false, write_hello, NULL, &why));  // even an empty source file
  assert_int_equal (rename ("x.c", "x.out"), 0);
  assert_true (report_file_write ("x.out", false, write_hello, NULL, &why));
  unlink ("x.out");
  strbuf_release (&why);
}

// In a folder that accepts no new file, the old file is overwritten, all of it.
static void writes_over_where_nothing_new_can_be (void **state) {
  (void) state;
  if (!geteuid ()) skip ();
  strbuf why = {0};
  assert_int_equal (mkdir ("closed", 0700), 0);
  assert_true (report_file_write_bytes ("closed/r", true, &(strbuf){"a longer text", 13, 0}, &why));
  assert_int_equal (chmod ("closed", 0500), 0);
  assert_true (report_file_write ("closed/r", true, write_hello, NULL, &why));
  assert_content ("closed/r", "hello\n");
  assert_false (report_file_write ("closed/r", true, write_half, NULL, &why));
  assert_content ("closed/r", "hello\n");
  chmod ("closed", 0700);
  unlink ("closed/r");
  rmdir ("closed");
  strbuf_release (&why);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (writes_and_replaces),     cmocka_unit_test (keeps_links),
      cmocka_unit_test (spares_foreign_files),    cmocka_unit_test (writes_over_where_nothing_new_can_be),
      cmocka_unit_test (says_what_is_in_the_way), cmocka_unit_test (full_disk_is_an_error)};
  return cmocka_run_group_tests (tests, enter_directory, leave_directory);
}
