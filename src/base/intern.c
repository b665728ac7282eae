// One open-addressing table of entry numbers over an arena of byte strings.
#include "base/intern.h"

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"

static bool equals (const intern *t, uint32_t entry, const void *bytes, size_t count, uint32_t hash) {
  const intern_entry *e = &t->entries.data[entry];
  return e->hash == hash && e->bytes == count && (!count || !memcmp (t->at.data[entry], bytes, count));
}

static void insert_slot (intern *t, uint32_t entry) {
  uint32_t mask = t->num_slots - 1, at = t->entries.data[entry].hash & mask;
  while (t->slots[at]) at = (at + 1) & mask;
  t->slots[at] = entry + 1;
}

static void grow_intern_table (intern *t) {
  uint32_t old = t->num_slots;
  mem_free (t->slots, sizeof *t->slots * old);
  t->num_slots = old ? old * 2 : 64;
  t->slots = mem_zalloc (sizeof *t->slots * t->num_slots);
  for (uint32_t e = 0; e < t->entries.count; e++) insert_slot (t, e);
}

uint32_t intern_add (intern *t, const void *bytes, size_t count, bool *is_new) {
  if (2 * (t->entries.count + 1) > t->num_slots) grow_intern_table (t);
  uint32_t hash = (uint32_t) hash_bytes (bytes, count, 0), mask = t->num_slots - 1, at = hash & mask;
  for (; t->slots[at]; at = (at + 1) & mask)
    if (equals (t, t->slots[at] - 1, bytes, count, hash)) {
      if (is_new) *is_new = false;
      return t->slots[at] - 1;
    }
  if (!t->arena) t->arena = arena_new ();
  void *copy = arena_alloc (t->arena, count ? count : 1);
  if (count) memcpy (copy, bytes, count);
  vec_push (&t->entries, ((intern_entry){.bytes = (uint32_t) count, .hash = hash}));
  vec_push (&t->at, copy);
  t->slots[at] = t->entries.count;
  if (is_new) *is_new = true;
  return t->entries.count - 1;
}

const void *intern_get (const intern *t, uint32_t number, size_t *count) {
  if (count) *count = t->entries.data[number].bytes;
  return t->at.data[number];
}

void intern_release (intern *t) {
  if (t->arena) arena_free (t->arena);
  mem_free (t->slots, sizeof *t->slots * t->num_slots);
  vec_release (&t->entries);
  vec_release (&t->at);
  *t = (intern){0};
}
