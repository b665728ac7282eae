// Hash functions.  No pointer value is ever hashed: runs must repeat.
#ifndef LOCKSTEP_HASH_H
#define LOCKSTEP_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t hash_bytes (const void *bytes, size_t count, uint64_t seed) {
  return XXH3_64bits_withSeed (bytes, count, seed);
}

static inline uint64_t hash_u64 (uint64_t x) {
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
  return x ^ (x >> 32);
}

static inline uint64_t hash_pair (uint64_t a, uint64_t b) { return hash_u64 (a + 0x9E3779B97F4A7C15u * (b + 1)); }

#endif
