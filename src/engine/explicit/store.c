// Visited states.  Components (threads, pages of objects) are interned once in a byte store; a state is the tuple of their ids, interned
// in a table of words.  Neighbouring states differ in one or two components, so a new state costs a few words, not
// a copy of the memory (the COLLAPSE idea of Holzmann, SPIN 1997, with ids in a hash table of our own).
#include <string.h>

#include "base/hash.h"
#include "engine/explicit/explicit_impl.h"

enum { COMPONENT_CHUNK = 1 << 18, TUPLE_CHUNK = 1 << TUPLE_CHUNK_BITS /* words */, FIRST_SLOTS = 1 << 10 };

void store_init (store *s) {
  *s = (store){.num_component_slots = FIRST_SLOTS, .num_state_slots = FIRST_SLOTS};
  s->component_slots = mem_zalloc (sizeof (uint64_t) * FIRST_SLOTS);
  s->state_slots = mem_zalloc (sizeof (uint64_t) * FIRST_SLOTS);
  vec_push (&s->component_at, 0);
  vec_push (&s->component_size, 0);
}

void store_release (store *s) {
  for (uint32_t k = 0; k < s->chunks.count; k++) mem_free (s->chunks.data[k], COMPONENT_CHUNK);
  for (uint32_t k = 0; k < s->tuple_chunks.count; k++)
    mem_free (s->tuple_chunks.data[k], sizeof (uint32_t) * TUPLE_CHUNK);
  vec_release (&s->chunks);
  vec_release (&s->component_at);
  vec_release (&s->component_size);
  vec_release (&s->tuple_chunks);
  mem_free (s->component_slots, sizeof (uint64_t) * s->num_component_slots);
  mem_free (s->state_slots, sizeof (uint64_t) * s->num_state_slots);
}

size_t store_bytes (const store *s) {
  return (size_t) s->chunks.count * COMPONENT_CHUNK + (size_t) s->tuple_chunks.count * TUPLE_CHUNK * sizeof (uint32_t) +
         (size_t) s->component_at.capacity * 8 + (size_t) s->component_size.capacity * 4 +
         ((size_t) s->num_component_slots + s->num_state_slots) * sizeof (uint64_t);
}

// Both tables: open addressing, linear probing, the low half of a slot is a tag of the hash.
static uint32_t first_slot (uint64_t hash, uint32_t num_slots) { return (uint32_t) (hash >> 32) & (num_slots - 1); }
static uint32_t tag_of (uint64_t hash) { return (uint32_t) hash | 1; }

static void place (uint64_t *slots, uint32_t num_slots, uint64_t hash, uint32_t name) {
  uint32_t k = first_slot (hash, num_slots);
  while (slots[k]) k = (k + 1) & (num_slots - 1);
  slots[k] = (uint64_t) name << 32 | tag_of (hash);
}

static uint64_t *double_slots (uint64_t *old, uint32_t *num_slots) {
  mem_free (old, sizeof *old * *num_slots);
  *num_slots *= 2;
  return mem_zalloc (sizeof *old * *num_slots);
}

// ---- components ----------------------------------------------------------------------------------------
static void grow_component_slots (store *s) {
  s->component_slots = double_slots (s->component_slots, &s->num_component_slots);
  for (uint32_t id = 1; id < s->component_at.count; id++) {
    uint32_t size;
    const uint8_t *bytes = store_component (s, id, &size);
    place (s->component_slots, s->num_component_slots, hash_bytes (bytes, size, 0), id);
  }
}

static uint32_t keep_component (store *s, const uint8_t *bytes, uint32_t size) {
  if (!s->chunks.count || COMPONENT_CHUNK - s->chunk_used < size) {
    uint8_t *chunk = mem_alloc (COMPONENT_CHUNK);
    vec_push (&s->chunks, chunk);
    s->chunk_used = 0;
  }
  vec_push (&s->component_at, (uint64_t) (s->chunks.count - 1) << 32 | s->chunk_used);
  vec_push (&s->component_size, size);
  memcpy (vec_last (&s->chunks) + s->chunk_used, bytes, size);
  s->chunk_used += (size + 7) & ~7u;
  if (s->chunk_used > COMPONENT_CHUNK) s->chunk_used = COMPONENT_CHUNK;
  return s->component_at.count - 1;
}

uint32_t store_intern (store *s, const uint8_t *bytes, uint32_t size) {
  if (s->component_at.count * 2 > s->num_component_slots) grow_component_slots (s);
  uint64_t hash = hash_bytes (bytes, size, 0);
  uint32_t mask = s->num_component_slots - 1, k = first_slot (hash, s->num_component_slots), tag = tag_of (hash);
  for (; s->component_slots[k]; k = (k + 1) & mask) {
    if ((uint32_t) s->component_slots[k] != tag) continue;
    uint32_t id = (uint32_t) (s->component_slots[k] >> 32), known;
    const uint8_t *other = store_component (s, id, &known);
    if (known == size && !memcmp (other, bytes, size)) return id;
  }
  uint32_t id = keep_component (s, bytes, size);
  s->component_slots[k] = (uint64_t) id << 32 | tag;
  return id;
}

// ---- states --------------------------------------------------------------------------------------------
uint64_t store_hash (const uint32_t *ids, uint32_t count) {
  uint64_t hash = 0;
  for (uint32_t k = 0; k < count; k++)
    if (ids[k]) hash += hash_pair (k, ids[k]);
  return hash;
}

static void grow_state_slots (store *s) {
  s->state_slots = double_slots (s->state_slots, &s->num_state_slots);
  for (uint32_t chunk = 0; chunk < s->tuple_chunks.count; chunk++) {
    uint32_t end = chunk + 1 < s->tuple_chunks.count ? TUPLE_CHUNK : s->tuple_chunk_used;
    uint32_t at = chunk ? 0 : 1;
    while (at < end && s->tuple_chunks.data[chunk][at] != IR_NONE) {  // IR_NONE: the rest of the chunk is unused
      const uint32_t *tuple = s->tuple_chunks.data[chunk] + at;
      place (s->state_slots, s->num_state_slots, store_hash (tuple + TUPLE_HEADER, tuple_count (tuple)),
             chunk << TUPLE_CHUNK_BITS | at);
      at += tuple_count (tuple) + tuple_log_words (tuple) + TUPLE_HEADER;
    }
  }
}

static state_id keep_tuple (store *s, const uint32_t *ids, uint32_t count, tuple_origin from) {
  uint32_t words = count + TUPLE_HEADER + from.log_words;
  if (!s->tuple_chunks.count || TUPLE_CHUNK - s->tuple_chunk_used < words) {
    if (s->tuple_chunks.count && s->tuple_chunk_used < TUPLE_CHUNK)
      vec_last (&s->tuple_chunks)[s->tuple_chunk_used] = IR_NONE;
    uint32_t *chunk = mem_alloc (sizeof (uint32_t) * TUPLE_CHUNK);
    vec_push (&s->tuple_chunks, chunk);
    s->tuple_chunk_used = s->tuple_chunks.count == 1;  // place 0 means a free slot
  }
  uint32_t *tuple = vec_last (&s->tuple_chunks) + s->tuple_chunk_used;
  tuple[0] = count | from.log_words << TUPLE_COUNT_BITS | (from.full ? TUPLE_FULL : 0);
  tuple[1] = from.parent;
  memcpy (tuple + TUPLE_HEADER, ids, count * sizeof *ids);
  if (from.log_words) memcpy (tuple + TUPLE_HEADER + count, from.log, from.log_words * sizeof *from.log);
  state_id state = (s->tuple_chunks.count - 1) << TUPLE_CHUNK_BITS | s->tuple_chunk_used;
  s->tuple_chunk_used += words;
  s->num_states++;
  return state;
}

void store_prefetch_slot (const store *s, uint64_t hash) {
  __builtin_prefetch (&s->state_slots[first_slot (hash, s->num_state_slots)]);
}

void store_prefetch_state (const store *s, uint64_t hash) {
  uint64_t slot = s->state_slots[first_slot (hash, s->num_state_slots)];
  if ((uint32_t) slot == tag_of (hash)) __builtin_prefetch (store_tuple (s, (state_id) (slot >> 32)));
}

state_id store_add_state (store *s, const uint32_t *ids, uint32_t count, uint64_t hash, tuple_origin from, bool *is_new) {
  while (count && !ids[count - 1]) count--;
  if (s->num_states / 3 >= s->num_state_slots / 4) grow_state_slots (s);
  uint32_t mask = s->num_state_slots - 1, k = first_slot (hash, s->num_state_slots), tag = tag_of (hash);
  for (; s->state_slots[k]; k = (k + 1) & mask) {
    if ((uint32_t) s->state_slots[k] != tag) continue;
    state_id state = (state_id) (s->state_slots[k] >> 32);
    uint32_t known;
    const uint32_t *other = store_state (s, state, &known);
    if (known != count || memcmp (other, ids, count * sizeof *ids)) continue;
    *is_new = from.full && !store_is_full (s, state);
    if (*is_new) ((uint32_t *) other)[-TUPLE_HEADER] |= TUPLE_FULL;
    return state;
  }
  *is_new = true;
  state_id state = keep_tuple (s, ids, count, from);
  s->state_slots[k] = (uint64_t) state << 32 | tag;
  return state;
}
