// Open addressing with linear probing over an insertion-ordered array of entries.
#include "base/map.h"

#include <string.h>

#include "base/hash.h"

static void insert_map_slot (uint32_t *slots, uint32_t num_slots, uint64_t hash, uint32_t entry) {
  uint32_t i = (uint32_t) hash & (num_slots - 1);
  while (slots[i]) i = (i + 1) & (num_slots - 1);
  slots[i] = entry + 1;
}

// Twice as many slots as entries keeps probes short; returns the new table, all free.
static uint32_t *bigger (uint32_t **slots, uint32_t *num_slots) {
  mem_free (*slots, sizeof **slots * *num_slots);
  *num_slots = *num_slots ? *num_slots * 2 : 16;
  return *slots = mem_zalloc (sizeof **slots * *num_slots);
}

uint64_t *map_find (const map *m, uint64_t key) {
  if (!m->num_slots) return NULL;
  for (uint32_t i = (uint32_t) hash_u64 (key) & (m->num_slots - 1); m->slots[i]; i = (i + 1) & (m->num_slots - 1)) {
    map_entry *e = &m->entries.data[m->slots[i] - 1];
    if (e->key == key) return &e->value;
  }
  return NULL;
}

uint64_t *map_insert (map *m, uint64_t key, uint64_t value, bool *is_new) {
  uint64_t *found = map_find (m, key);
  if (is_new) *is_new = !found;
  if (found) return found;
  vec_push (&m->entries, ((map_entry){key, value}));
  if (m->entries.count * 2 > m->num_slots) {
    bigger (&m->slots, &m->num_slots);
    for (uint32_t i = 0; i < m->entries.count; i++)
      insert_map_slot (m->slots, m->num_slots, hash_u64 (m->entries.data[i].key), i);
  } else insert_map_slot (m->slots, m->num_slots, hash_u64 (key), m->entries.count - 1);
  return &vec_last (&m->entries).value;
}

void map_clear (map *m) {
  vec_clear (&m->entries);
  if (m->slots) memset (m->slots, 0, sizeof *m->slots * m->num_slots);
}

void map_release (map *m) {
  vec_release (&m->entries);
  mem_free (m->slots, sizeof *m->slots * m->num_slots);
  *m = (map){0};
}

uint64_t *strmap_find (const strmap *m, const char *key) {
  if (!m->num_slots) return NULL;
  uint32_t i = (uint32_t) hash_bytes (key, strlen (key), 0) & (m->num_slots - 1);
  for (; m->slots[i]; i = (i + 1) & (m->num_slots - 1)) {
    strmap_entry *e = &m->entries.data[m->slots[i] - 1];
    if (!strcmp (e->key, key)) return &e->value;
  }
  return NULL;
}

uint64_t *strmap_insert (strmap *m, const char *key, uint64_t value, bool *is_new) {
  uint64_t *found = strmap_find (m, key);
  if (is_new) *is_new = !found;
  if (found) return found;
  size_t bytes = strlen (key) + 1;
  vec_push (&m->entries, ((strmap_entry){memcpy (mem_alloc (bytes), key, bytes), value}));
  if (m->entries.count * 2 > m->num_slots) {
    bigger (&m->slots, &m->num_slots);
    for (uint32_t i = 0; i < m->entries.count; i++) {
      const char *k = m->entries.data[i].key;
      insert_map_slot (m->slots, m->num_slots, hash_bytes (k, strlen (k), 0), i);
    }
  } else insert_map_slot (m->slots, m->num_slots, hash_bytes (key, bytes - 1, 0), m->entries.count - 1);
  return &vec_last (&m->entries).value;
}

void strmap_release (strmap *m) {
  for (uint32_t i = 0; i < m->entries.count; i++)
    mem_free (m->entries.data[i].key, strlen (m->entries.data[i].key) + 1);
  vec_release (&m->entries);
  mem_free (m->slots, sizeof *m->slots * m->num_slots);
  *m = (strmap){0};
}
