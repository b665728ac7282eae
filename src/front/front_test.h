// What the tests of this folder share: a private folder for files, and standard error caught as text.
#ifndef LOCKSTEP_FRONT_TEST_H
#define LOCKSTEP_FRONT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/strbuf.h"

typedef struct test_folder {
  char path[200];
  VEC (char *) files;
} test_folder;

static inline void test_folder_init (test_folder *t) {
  const char *parent = getenv ("TMPDIR");
  *t = (test_folder){0};
  snprintf (t->path, sizeof t->path, "%s/lockstep-test-XXXXXX", parent ? parent : "/tmp");
  assert_non_null (mkdtemp (t->path));
}

// The path of a new file of this content.  It lives until the folder is released.
static inline const char *test_file (test_folder *t, const char *name, const void *bytes, size_t size) {
  strbuf path = {0};
  strbuf_printf (&path, "%s/%s", t->path, name);
  char *copy = strdup (strbuf_text (&path));
  strbuf_release (&path);
  FILE *f = fopen (copy, "w");
  assert_non_null (f);
  assert_int_equal (fwrite (bytes, 1, size, f), size);
  assert_int_equal (fclose (f), 0);
  vec_push (&t->files, copy);
  return copy;
}

static inline const char *test_text (test_folder *t, const char *name, const char *text) {
  return test_file (t, name, text, strlen (text));
}

static inline void test_folder_release (test_folder *t) {
  for (uint32_t i = 0; i < t->files.count; i++) {
    unlink (t->files.data[i]);
    free (t->files.data[i]);
  }
  vec_release (&t->files);
  assert_int_equal (rmdir (t->path), 0);  // nothing else was left there
}

// Standard error between begin and end.
typedef struct test_capture {
  int saved, file;
} test_capture;

static inline test_capture test_capture_begin (void) {
  fflush (stderr);
  test_capture c = {dup (2), memfd_create ("stderr", MFD_CLOEXEC)};
  assert_true (c.saved >= 0 && c.file >= 0);
  dup2 (c.file, 2);
  return c;
}

static inline void test_capture_end (test_capture c, strbuf *out) {
  fflush (stderr);
  dup2 (c.saved, 2);
  close (c.saved);
  char block[512];
  strbuf_clear (out);
  lseek (c.file, 0, SEEK_SET);
  for (ssize_t n; (n = read (c.file, block, sizeof block)) > 0;) strbuf_add_bytes (out, block, (size_t) n);
  close (c.file);
}

static inline void assert_says (strbuf *text, const char *phrase) {
  if (!strstr (strbuf_text (text), phrase)) fail_msg ("no \"%s\" in: %s", phrase, strbuf_text (text));
}

#endif
