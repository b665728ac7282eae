// Which headers count as system headers, by the flags.
#define _GNU_SOURCE
#include "front/driver_impl.h"
#include "front/front_test.h"

static bool is_of_system (const char *flags, const char *path) {
  arena *a = arena_new ();
  source_list sources = {0};
  word_list folders = {0};
  translation_unit s = {.directory = "/home/me", .output = -1, .errors = -1};
  char *copy = arena_strdup (a, flags);
  for (char *word = strtok (copy, " "); word; word = strtok (NULL, " ")) vec_push (&s.flags, word);
  vec_push (&sources, s);
  system_folders (a, &sources, &folders);
  bool found = system_has (&folders, path);
  vec_release (&folders);
  vec_release (&sources.data[0].flags);
  vec_release (&sources);
  arena_free (a);
  return found;
}

static void finds_folders (void **state) {
  (void) state;
  static const char *const flags[] = {"-isystem lib",
                                      "-isystemlib",
                                      "-idirafter ../me/lib",
                                      "-isysroot lib",
                                      "--sysroot=lib",
                                      "--sysroot lib",
                                      "-DX -isystem-after /home/me/lib -w"};
  for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
    assert_true (is_of_system (flags[i], "/home/me/lib/a/b.h"));
    assert_false (is_of_system (flags[i], "/home/me/libs/b.h"));
  }
  assert_false (is_of_system ("-I lib -iquote lib -include lib", "/home/me/lib/b.h"));
  assert_false (is_of_system ("-isystem", "/home/me/b.h"));
  assert_true (is_of_system ("", "/usr/include/b.h"));
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (finds_folders)};
  return cmocka_run_group_tests (tests, NULL, NULL);
}
