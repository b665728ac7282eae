// Cubes as sorted lists of literals with a signature of 64 bits, so that most tests of inclusion end at once (Een and
// Biere, Effective Preprocessing in SAT through Variable and Clause Elimination, 2005, section 4.2).
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "prove/ic3_impl.h"

size_t cube_bytes (uint32_t count) { return sizeof (cube) + count * sizeof (uint32_t); }

static int compare_cube_literals (const void *a, const void *b) {
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

void cube_fill (cube *c, const literals *l) {
  c->count = l->count;
  c->signature = 0;
  if (!l->count) return;
  memcpy (c->literal, l->data, l->count * sizeof *l->data);
  qsort (c->literal, c->count, sizeof *c->literal, compare_cube_literals);
  for (uint32_t i = 0; i < c->count; i++) c->signature |= 1ull << (hash_u64 (c->literal[i]) & 63);
}

bool cube_within (const cube *small, const cube *large) {
  if (small->count > large->count || (small->signature & ~large->signature)) return false;
  uint32_t k = 0;
  for (uint32_t i = 0; i < small->count; i++, k++) {
    while (k < large->count && large->literal[k] < small->literal[i]) k++;
    if (k == large->count || large->literal[k] != small->literal[i]) return false;
  }
  return true;
}

void literals_copy (literals *to, const literals *from) {
  vec_clear (to);
  vec_reserve (to, from->count);
  for (uint32_t i = 0; i < from->count; i++) vec_push (to, from->data[i]);
}

void literals_take (literals *to, const cube *from) {
  vec_clear (to);
  for (uint32_t i = 0; i < from->count; i++) vec_push (to, from->literal[i]);
}

bool literals_have (const literals *l, uint32_t literal) {
  for (uint32_t i = 0; i < l->count; i++)
    if (l->data[i] == literal) return true;
  return false;
}
