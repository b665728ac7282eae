// SHA-256 by the book: FIPS 180-4, sections 4.1.2 (functions), 5.1.1 (padding) and 6.2.2 (one block).  The constants
// are the first 32 bits of the fractional parts of the square and cube roots of the first primes (4.2.2, 5.3.3); they
// are computed from that definition once, in integers, which is shorter than the table and cannot hold a misprint.
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

typedef struct constants {
  uint32_t start[8], round[64];
} constants;

static bool is_prime (unsigned n) {
  for (unsigned d = 2; d * d <= n; d++)
    if (n % d == 0) return false;
  return true;
}

// The low 32 bits of floor (root (n) * 2^32), for the square root (power 2) or the cube root (power 3).
static uint32_t root_fraction (unsigned n, unsigned power) {
  uint64_t root = 0;
  for (int bit = 36; bit >= 0; bit--) {  // the roots are below 2^5
    uint64_t tried = root | (uint64_t) 1 << bit;
    __uint128_t raised = (__uint128_t) tried * tried * (power == 3 ? tried : 1);
    if (raised <= (__uint128_t) n << 32 * power) root = tried;
  }
  return (uint32_t) root;
}

static const constants *constants_get (void) {
  static constants made;
  if (made.round[0]) return &made;
  constants fresh;
  for (unsigned n = 2, k = 0; k < 64; n++) {
    if (!is_prime (n)) continue;
    if (k < 8) fresh.start[k] = root_fraction (n, 2);
    fresh.round[k++] = root_fraction (n, 3);
  }
  made = fresh;
  return &made;
}

static uint32_t turn (uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static void hash_block (sha256 *s, const uint8_t *block) {
  uint32_t w[64], v[8];
  for (unsigned t = 0; t < 16; t++)
    w[t] = (uint32_t) block[4 * t] << 24 | (uint32_t) block[4 * t + 1] << 16 | (uint32_t) block[4 * t + 2] << 8 |
           block[4 * t + 3];
  for (unsigned t = 16; t < 64; t++) {
    uint32_t s0 = turn (w[t - 15], 7) ^ turn (w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t s1 = turn (w[t - 2], 17) ^ turn (w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  memcpy (v, s->state, sizeof v);
  const uint32_t *k = constants_get ()->round;
  for (unsigned t = 0; t < 64; t++) {
    uint32_t sum1 = turn (v[4], 6) ^ turn (v[4], 11) ^ turn (v[4], 25);
    uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t first = v[7] + sum1 + choice + k[t] + w[t];
    uint32_t sum0 = turn (v[0], 2) ^ turn (v[0], 13) ^ turn (v[0], 22);
    uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    memmove (v + 1, v, 7 * sizeof *v);
    v[4] += first;
    v[0] = first + sum0 + majority;
  }
  for (unsigned i = 0; i < 8; i++) s->state[i] += v[i];
}

void sha256_init (sha256 *s) {
  *s = (sha256){0};
  memcpy (s->state, constants_get ()->start, sizeof s->state);
}

void sha256_add (sha256 *s, const void *bytes, size_t count) {
  const uint8_t *from = bytes;
  size_t used = s->count % 64;
  s->count += count;
  while (count >= 64 - used) {
    memcpy (s->block + used, from, 64 - used);
    hash_block (s, s->block);
    from += 64 - used;
    count -= 64 - used;
    used = 0;
  }
  if (count) memcpy (s->block + used, from, count);
}

void sha256_finish (sha256 *s, uint8_t digest[SHA256_BYTES]) {
  static const uint8_t padding[64] = {0x80};
  uint64_t bits = 8 * s->count;
  uint8_t length[8];
  for (unsigned i = 0; i < 8; i++) length[i] = (uint8_t) (bits >> (56 - 8 * i));
  size_t used = s->count % 64;
  sha256_add (s, padding, used < 56 ? 56 - used : 120 - used);
  sha256_add (s, length, sizeof length);
  for (unsigned i = 0; i < SHA256_BYTES; i++) digest[i] = (uint8_t) (s->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_text (const uint8_t digest[SHA256_BYTES], char text[SHA256_TEXT]) {
  for (unsigned i = 0; i < SHA256_BYTES; i++) snprintf (text + 2 * i, 3, "%02x", digest[i]);
}

bool sha256_file (const char *path, char text[SHA256_TEXT]) {
  FILE *f = file_open_source (path);
  if (!f) return false;
  sha256 s;
  sha256_init (&s);
  char part[8192];
  for (size_t n; (n = fread (part, 1, sizeof part, f)) > 0;) sha256_add (&s, part, n);
  bool good = !ferror (f);
  fclose (f);
  uint8_t digest[SHA256_BYTES];
  sha256_finish (&s, digest);
  if (good) sha256_text (digest, text);
  return good;
}
