// Files that may be anything: regular ones, pipes with and without a writer, devices, folders.
#define _GNU_SOURCE
#include "base/file.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test.h"

static char folder[] = "lockstep_base_file_test_XXXXXX";

static int enter (void **state) {
  (void) state;
  return mkdtemp (folder) && chdir (folder) == 0 && mkfifo ("pipe", 0600) == 0 ? 0 : -1;
}

static int leave (void **state) {
  unlink ("pipe");
  return chdir ("..") == 0 && rmdir (folder) == 0 ? test_no_live_bytes (state) : -1;
}

static void check (const char *path, double seconds, bool good, bool stopped, const char *text) {
  budget b;
  budget_start (&b, seconds, 0);
  strbuf out = {0}, why = {0};
  bool was_stopped;
  assert_int_equal (file_read (path, &b, &out, &why, &was_stopped), good);
  assert_int_equal (was_stopped, stopped);
  if (good) assert_string_equal (strbuf_text (&out), text);
  else assert_non_null (strstr (strbuf_text (&why), text));
  assert_true (budget_elapsed (&b) < seconds + TEST_PATIENCE);
  strbuf_release (&out);
  strbuf_release (&why);
}

static void reads_what_ends (void **state) {
  (void) state;
  FILE *f = fopen ("text", "w");
  assert_non_null (f);
  fputs ("some text", f);
  fclose (f);
  check ("text", 1, true, false, "some text");
  check ("/dev/null", 1, true, false, "");
  check ("missing", 1, false, false, "No such file");
  check (".", 1, false, false, "directory");
  unlink ("text");
}

static void stops_what_does_not (void **state) {
  (void) state;
  check ("pipe", 0.1, false, true, "time limit");
}

static void *write_late (void *unused) {
  usleep (60 * 1000);
  FILE *f = fopen ("pipe", "w");
  if (f) fputs ("late", f), fclose (f);
  return unused;
}

static void waits_for_a_writer (void **state) {
  (void) state;
  pthread_t writer;
  assert_int_equal (pthread_create (&writer, NULL, write_late, NULL), 0);
  check ("pipe", 30, true, false, "late");
  pthread_join (writer, NULL);
}

static void opens_regular_files_only (void **state) {
  (void) state;
  assert_null (file_open_regular ("pipe"));
  assert_null (file_open_regular ("/dev/zero"));
  assert_null (file_open_regular ("."));
  FILE *f = file_open_regular ("/proc/self/exe");
  assert_non_null (f);
  fclose (f);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (reads_what_ends), cmocka_unit_test (stops_what_does_not),
                                     cmocka_unit_test (waits_for_a_writer),
                                     cmocka_unit_test (opens_regular_files_only)};
  return cmocka_run_group_tests (tests, enter, leave);
}
