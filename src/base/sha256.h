// SHA-256 (FIPS 180-4): for hashes that other programs compute too.  Tables of our own use base/hash.h, which is far
// faster.
#ifndef LOCKSTEP_SHA256_H
#define LOCKSTEP_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_TEXT = 65 /* hexadecimal digits and the end */ };

typedef struct sha256 {
  uint32_t state[8];
  uint64_t count;              // bytes added
  uint8_t block[64];           // of them, the last count % 64
} sha256;

void sha256_init (sha256 *);
void sha256_add (sha256 *, const void *bytes, size_t count);
void sha256_finish (sha256 *, uint8_t digest[SHA256_BYTES]);   // needs sha256_init before the next use
void sha256_text (const uint8_t digest[SHA256_BYTES], char text[SHA256_TEXT]);   // lower case
// of a source (file_open_source); false: it cannot be read
bool sha256_file (const char *path, char text[SHA256_TEXT]);

#endif
