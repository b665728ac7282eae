// SHA-256 against the vectors of FIPS 180-4's examples, and in random portions against itself in one.
#include "base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/test.h"

static const char *hash (const void *bytes, size_t count) {
  static char text[SHA256_TEXT];
  uint8_t digest[SHA256_BYTES];
  sha256 s;
  sha256_init (&s);
  sha256_add (&s, bytes, count);
  sha256_finish (&s, digest);
  sha256_text (digest, text);
  return text;
}

static const char million_a[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

static void known_vectors (void **state) {
  (void) state;
  static const struct {
    const char *text, *hash;
  } cases[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
               {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
               {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
               {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqr"
                "stnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal (hash (cases[i].text, strlen (cases[i].text)), cases[i].hash);
}

static void a_million_letters_in_portions (void **state) {
  (void) state;
  char portion[1000];
  memset (portion, 'a', sizeof portion);
  uint8_t digest[SHA256_BYTES];
  char text[SHA256_TEXT];
  sha256 s;
  sha256_init (&s);
  for (int i = 0; i < 1000; i++) sha256_add (&s, portion, sizeof portion);
  sha256_finish (&s, digest);
  sha256_text (digest, text);
  assert_string_equal (text, million_a);
}

static void portions_do_not_matter (void **state) {
  (void) state;
  rng r = {7};
  uint8_t bytes[700];
  for (int round = 0; round < 300; round++) {
    size_t count = rng_below (&r, sizeof bytes);
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t) rng_below (&r, 256);
    uint8_t digest[SHA256_BYTES];
    char text[SHA256_TEXT];
    sha256 s;
    sha256_init (&s);
    for (size_t at = 0; at < count;) {
      size_t part = 1 + rng_below (&r, 130);
      if (part > count - at) part = count - at;
      sha256_add (&s, bytes + at, part);
      at += part;
    }
    sha256_finish (&s, digest);
    sha256_text (digest, text);
    assert_string_equal (text, hash (bytes, count));
  }
}

static void files (void **state) {
  (void) state;
  char path[] = "lockstep_sha256_XXXXXX", text[SHA256_TEXT];
  int fd = mkstemp (path);
  assert_true (fd >= 0);
  assert_int_equal (write (fd, "abc", 3), 3);
  close (fd);
  bool good = sha256_file (path, text);
  unlink (path);
  assert_true (good);
  assert_string_equal (text, hash ("abc", 3));
  assert_false (sha256_file (path, text));
  assert_false (sha256_file (".", text));
}

TEST_MAIN (cmocka_unit_test (known_vectors), cmocka_unit_test (a_million_letters_in_portions),
           cmocka_unit_test (portions_do_not_matter), cmocka_unit_test (files))
