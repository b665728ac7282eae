// Sets as sorted arrays in an interning table.  They are small (locks held, locks taken since): linear merging is
// enough.
#include "base/idset.h"

#include <stdlib.h>

void idsets_init (idsets *t) {
  *t = (idsets){0};
  intern_add (&t->table, "", 0, NULL);
}

void idsets_release (idsets *t) {
  intern_release (&t->table);
  map_release (&t->unions);
}

const uint32_t *idset_items (const idsets *t, uint32_t set, uint32_t *count) {
  size_t bytes;
  const uint32_t *items = intern_get (&t->table, set, &bytes);
  *count = (uint32_t) (bytes / sizeof *items);
  return items;
}

static int by_value (const void *x, const void *y) {
  uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;
  return (a > b) - (a < b);
}

uint32_t idset_make (idsets *t, uint32_t *items, uint32_t count) {
  if (!count) return IDSET_EMPTY;
  qsort (items, count, sizeof *items, by_value);
  uint32_t kept = 1;
  for (uint32_t k = 1; k < count; k++)
    if (items[k] != items[kept - 1]) items[kept++] = items[k];
  return intern_add (&t->table, items, kept * sizeof *items, NULL);
}

bool idset_has (const idsets *t, uint32_t set, uint32_t item) {
  uint32_t count;
  const uint32_t *items = idset_items (t, set, &count);
  for (uint32_t k = 0; k < count && items[k] <= item; k++)
    if (items[k] == item) return true;
  return false;
}

uint32_t idset_unite (idsets *t, uint32_t a, uint32_t b) {
  if (a == b || b == IDSET_EMPTY) return a;
  if (a == IDSET_EMPTY) return b;
  uint64_t key = a < b ? (uint64_t) a << 32 | b : (uint64_t) b << 32 | a;
  const uint64_t *known = map_find (&t->unions, key);
  if (known) return (uint32_t) *known;
  uint32_t num_a, num_b;
  const uint32_t *in_a = idset_items (t, a, &num_a), *in_b = idset_items (t, b, &num_b);
  VEC (uint32_t) all = {0};
  for (uint32_t k = 0; k < num_a; k++) vec_push (&all, in_a[k]);
  for (uint32_t k = 0; k < num_b; k++) vec_push (&all, in_b[k]);
  uint32_t set = idset_make (t, all.data, all.count);
  vec_release (&all);
  map_insert (&t->unions, key, set, NULL);
  return set;
}

uint32_t idset_add (idsets *t, uint32_t set, uint32_t item) {
  if (idset_has (t, set, item)) return set;
  return idset_unite (t, set, idset_make (t, &item, 1));
}

uint32_t idset_remove (idsets *t, uint32_t set, uint32_t item) {
  if (!idset_has (t, set, item)) return set;
  uint32_t count;
  const uint32_t *items = idset_items (t, set, &count);
  VEC (uint32_t) rest = {0};
  for (uint32_t k = 0; k < count; k++)
    if (items[k] != item) vec_push (&rest, items[k]);
  uint32_t result = idset_make (t, rest.data, rest.count);
  vec_release (&rest);
  return result;
}

bool idset_within (const idsets *t, uint32_t a, uint32_t b) {
  if (a == b) return true;
  uint32_t num_a, num_b, at = 0;
  const uint32_t *in_a = idset_items (t, a, &num_a), *in_b = idset_items (t, b, &num_b);
  for (uint32_t k = 0; k < num_a; k++) {
    while (at < num_b && in_b[at] < in_a[k]) at++;
    if (at == num_b || in_b[at] != in_a[k]) return false;
  }
  return true;
}
