// The store of visited states. Components (threads, pages of objects) are interned in a byte store; a state is the
// tuple of its component ids, interned in a table of words. Neighbouring states differ in one or two components, so a
// new state costs a few words, not a copy of the memory (the COLLAPSE idea of Holzmann, SPIN 1997, with ids in a hash
// table of our own).
//
// Workers share the tables without locks. A worker that finds a slot free writes the tuple into a chunk of its own and
// then puts its name into the slot by compare-and-swap; a worker that comes too late takes back its tuple and reads the
// slot again (as in Laarman, van de Pol and Weber, FMCAD 2010, but a slot is never visible half written, because the
// name is written last). Only growing stops all workers: a worker sets `inside` before it reads slots, and the worker
// that grows a table waits until no other is inside.
#include "engine/explicit/state_store.h"

#include <sched.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "ir/ir.h"

enum {
  COMPONENT_CHUNK = 1 << 18,
  TUPLE_CHUNK = 1 << TUPLE_CHUNK_BITS,  // words
  FIRST_SLOTS = 1 << 10,
  FIRST_SHARED_SLOTS = 1 << 17,  // enough slots for the states that workers have not counted in num_states yet
  TELL_AFTER = 64                // states that a worker counts before it updates num_states
};

// ---- slots --------------------------------------------------------------------------------------------
static uint32_t first_slot (uint64_t hash, uint32_t num_slots) { return (uint32_t) (hash >> 32) & (num_slots - 1); }
static uint32_t tag_of (uint64_t hash) { return (uint32_t) hash | 1; }
static uint64_t packed_slot (uint64_t hash, uint32_t name) { return (uint64_t) name << 32 | tag_of (hash); }

static uint64_t slot_at (const name_table *t, uint32_t k) {
  return atomic_load_explicit (&t->slots[k], memory_order_acquire);
}

// Returns false if another worker was faster; *found is then the content of the slot.
static bool claim_slot (const store *s, name_table *t, uint32_t k, uint64_t slot, uint64_t *found) {
  if (s->tables->concurrent)
    return atomic_compare_exchange_strong_explicit (&t->slots[k], found, slot, memory_order_acq_rel,
                                                    memory_order_acquire);
  atomic_store_explicit (&t->slots[k], slot, memory_order_relaxed);
  return true;
}

static void insert_name (name_table *t, uint64_t hash, uint32_t name) {
  uint32_t k = first_slot (hash, t->size);
  while (atomic_load_explicit (&t->slots[k], memory_order_relaxed)) k = (k + 1) & (t->size - 1);
  atomic_store_explicit (&t->slots[k], packed_slot (hash, name), memory_order_relaxed);
}

// Doubles the table; all new slots are free. Workers that share the table keep the old slots until the new ones are
// allocated, because the allocation may fail.
static void double_slots (name_table *t, bool concurrent) {
  _Atomic uint64_t *old = t->slots;
  uint32_t size = t->size;
  if (!concurrent) mem_free (old, sizeof *old * size);
  _Atomic uint64_t *slots = mem_zalloc (sizeof *old * size * 2);
  __atomic_store_n (&t->slots, slots, __ATOMIC_RELAXED);
  __atomic_store_n (&t->size, size * 2, __ATOMIC_RELAXED);
  if (concurrent) mem_free (old, sizeof *old * size);
}

// ---- mutual exclusion with growing --------------------------------------------------------------------
void store_enter (store *s) {
  if (!s->tables->concurrent) return;
  for (;;) {
    atomic_store (&s->inside, true);
    if (!atomic_load (&s->tables->growing)) return;
    atomic_store (&s->inside, false);
    pthread_mutex_lock (&s->tables->growth);  // wait until the table has grown
    pthread_mutex_unlock (&s->tables->growth);
  }
}

void store_leave (store *s) {
  if (s->tables->concurrent) atomic_store_explicit (&s->inside, false, memory_order_release);
}

static void wait_for_others (const store *s) {
  for (uint32_t k = 0; k < s->tables->stores.count; k++)
    while (s->tables->stores.data[k] != s && atomic_load (&s->tables->stores.data[k]->inside)) sched_yield ();
}

typedef struct table_growth {
  bool (*needed) (const store_tables *);
  void (*grow) (store_tables *);
} table_growth;

// Called and left inside. In between the worker lets others grow tables, so that two growing workers do not wait for
// each other.
static void grow_table (store *s, table_growth g) {
  store_tables *t = s->tables;
  if (!t->concurrent) {
    g.grow (t);
    return;
  }
  store_leave (s);
  pthread_mutex_lock (&t->growth);
  s->grows = true;
  if (g.needed (t)) {
    atomic_store (&t->growing, true);
    wait_for_others (s);
    g.grow (t);
    atomic_store (&t->growing, false);
  }
  s->grows = false;
  pthread_mutex_unlock (&t->growth);
  store_enter (s);
}

void store_abandon (store *s) {
  store_leave (s);
  if (!s->grows) return;
  s->grows = false;
  atomic_store (&s->tables->growing, false);
  pthread_mutex_unlock (&s->tables->growth);
}

// ---- components ---------------------------------------------------------------------------------------
static bool component_table_is_full (const store_tables *t) { return t->num_components >= t->component_slots.size / 2; }

static void grow_components (store_tables *t) {
  double_slots (&t->component_slots, t->concurrent);
  for (uint32_t id = 1; id <= t->num_components; id++) {
    if (!t->blocks[component_block (id)]) continue;  // the worker that took the id has run out of memory
    const component *c = store_component_at (t, id);
    if (c->bytes) insert_name (&t->component_slots, hash_bytes (c->bytes, c->size, 0), id);
  }
}

static size_t block_bytes (uint32_t block) { return sizeof (component) << (FIRST_BLOCK_BITS + block); }

static void need_block (store_tables *t, uint32_t id) {
  uint32_t block = component_block (id);
  component *expected = NULL;
  if (atomic_load (&t->blocks[block])) return;
  component *fresh = mem_zalloc (block_bytes (block));
  if (!atomic_compare_exchange_strong (&t->blocks[block], &expected, fresh)) mem_free (fresh, block_bytes (block));
}

static uint32_t new_component (store *s) {
  uint32_t id = s->spare_component ? s->spare_component : atomic_fetch_add (&s->tables->num_components, 1) + 1;
  s->spare_component = id;  // reserved until the component is in the table
  need_block (s->tables, id);
  return id;
}

static uint32_t copy_component (store *s, const uint8_t *bytes, uint32_t size) {
  if (!s->chunks.count || vec_last (&s->chunks).size - s->chunk_used < size) {
    uint32_t wanted = size > COMPONENT_CHUNK ? size : COMPONENT_CHUNK;
    component_chunk fresh = {mem_alloc (wanted), wanted};
    vec_push (&s->chunks, fresh);
    s->chunk_used = 0;
  }
  uint32_t id = new_component (s);
  uint8_t *copy = vec_last (&s->chunks).bytes + s->chunk_used;
  memcpy (copy, bytes, size);
  *store_component_at (s->tables, id) = (component){copy, size};
  return id;
}

static void use_component (store *s, uint32_t size) {
  uint32_t room = vec_last (&s->chunks).size - s->chunk_used, padded = (size + 7) & ~7u;
  s->chunk_used += padded < room ? padded : room;
  s->spare_component = 0;
}

static bool is_component (const store *s, uint32_t id, const uint8_t *bytes, uint32_t size) {
  uint32_t known;
  const uint8_t *other = store_component (s, id, &known);
  return known == size && !memcmp (other, bytes, size);
}

static uint32_t find_or_add_component (store *s, const uint8_t *bytes, uint32_t size) {
  name_table *t = &s->tables->component_slots;
  uint64_t hash = hash_bytes (bytes, size, 0);
  uint32_t mine = 0;
  for (uint32_t k = first_slot (hash, t->size);; k = (k + 1) & (t->size - 1)) {
    uint64_t slot = slot_at (t, k);
    if (!slot) {
      if (!mine) mine = copy_component (s, bytes, size);
      if (claim_slot (s, t, k, packed_slot (hash, mine), &slot)) {
        use_component (s, size);
        return mine;
      }
    }
    if ((uint32_t) slot != tag_of (hash) || !is_component (s, (uint32_t) (slot >> 32), bytes, size)) continue;
    if (mine) store_component_at (s->tables, mine)->bytes = NULL;
    return (uint32_t) (slot >> 32);
  }
}

uint32_t store_intern (store *s, const uint8_t *bytes, uint32_t size) {
  store_enter (s);
  if (component_table_is_full (s->tables)) grow_table (s, (table_growth){component_table_is_full, grow_components});
  uint32_t id = find_or_add_component (s, bytes, size);
  store_leave (s);
  return id;
}

// ---- states -------------------------------------------------------------------------------------------
uint64_t store_hash (const uint32_t *ids, uint32_t count) {
  uint64_t hash = 0;
  for (uint32_t k = 0; k < count; k++)
    if (ids[k]) hash += hash_pair (k, ids[k]);
  return hash;
}

static bool state_table_is_full (const store_tables *t) {
  return atomic_load_explicit (&t->num_states, memory_order_relaxed) / 3 >= t->state_slots.size / 4;
}

static void place_chunk (store_tables *t, uint32_t chunk) {
  uint32_t at = chunk ? 0 : 1;
  while (at < t->tuple_chunk_words[chunk] &&
         t->tuple_chunks[chunk][at] != IR_NONE) {  // IR_NONE: the rest of the chunk is unused
    const uint32_t *tuple = t->tuple_chunks[chunk] + at;
    insert_name (&t->state_slots, store_hash (tuple + TUPLE_HEADER, tuple_count (tuple)),
                 chunk << TUPLE_CHUNK_BITS | at);
    at += tuple_count (tuple) + tuple_log_words (tuple) + TUPLE_HEADER;
  }
}

// Returns the number of free words in the store's chunk.
static uint32_t tuple_room (const store *s) {
  return s->tables->tuple_chunk_words[s->tuple_chunk] - s->tuple_chunk_used;
}

static void mark_end (store *s) {
  if (s->tuple_chunk != IR_NONE && tuple_room (s)) s->tuple_chunks[s->tuple_chunk][s->tuple_chunk_used] = IR_NONE;
}

static void grow_states (store_tables *t) {
  double_slots (&t->state_slots, t->concurrent);
  for (uint32_t k = 0; k < t->stores.count; k++) mark_end (t->stores.data[k]);
  for (uint32_t chunk = 0; chunk < t->num_tuple_chunks; chunk++)
    if (t->tuple_chunks[chunk]) place_chunk (t, chunk);
}

static void free_tuple_chunk (store_tables *t, uint32_t chunk) {
  mem_free (t->tuple_chunks[chunk], sizeof (uint32_t) * t->tuple_chunk_words[chunk]);
}

// Allocates a chunk of the usual size. A larger tuple gets a chunk of its own, at its beginning, so its position still
// fits into TUPLE_CHUNK_BITS.
static void allocate_tuple_chunk (store_tables *t, uint32_t chunk, uint32_t wanted) {
  uint32_t words = wanted > TUPLE_CHUNK ? wanted : TUPLE_CHUNK;
  t->tuple_chunks[chunk] = mem_alloc (sizeof (uint32_t) * words);
  t->tuple_chunk_words[chunk] = words;
}

// With bits, tuples form a stack: a chunk that the stack has left contains no tuple any more and is used again.
static bool next_tuple_chunk (store *s, uint32_t wanted) {
  store_tables *t = s->tables;
  if (!t->bits.words || s->tuple_chunk + 1 >= t->num_tuple_chunks) return false;  // IR_NONE + 1 is 0: no chunk yet
  uint32_t chunk = s->tuple_chunk + 1;
  if (t->tuple_chunk_words[chunk] < wanted) {
    free_tuple_chunk (t, chunk);
    t->tuple_chunks[chunk] = NULL;
    allocate_tuple_chunk (t, chunk, wanted);
  }
  s->tuple_chunk = chunk;
  s->tuple_chunk_used = chunk == 0;
  return true;
}

// Starts a new chunk. Position 0 of the first chunk is not used: name 0 means a free slot.
static void new_tuple_chunk (store *s, uint32_t words) {
  uint32_t wanted = words + 1;  // one more for position 0 of the first chunk
  if (next_tuple_chunk (s, wanted)) return;
  uint32_t chunk = atomic_fetch_add (&s->tables->num_tuple_chunks, 1);
  if (chunk >= TUPLE_CHUNKS) {
    atomic_fetch_sub (&s->tables->num_tuple_chunks, 1);
    mem_exhausted ();
  }
  allocate_tuple_chunk (s->tables, chunk, wanted);
  mark_end (s);
  s->tuple_chunk = chunk;
  s->tuple_chunk_used = chunk == 0;
}

static uint32_t tuple_words (uint32_t count, const tuple_origin *from) {
  return count + TUPLE_HEADER + from->log_words;
}

static state_id copy_tuple (store *s, const uint32_t *ids, uint32_t count, const tuple_origin *from) {
  CHECK (from->log_words < 1u << (30 - TUPLE_COUNT_BITS), "a log should be short");
  uint32_t words = tuple_words (count, from);
  if (count >> TUPLE_COUNT_BITS) mem_exhausted ();  // more than 2^20 pages
  if (s->tuple_chunk == IR_NONE || s->tuple_chunk_used >= TUPLE_CHUNK || tuple_room (s) < words)
    new_tuple_chunk (s, words);
  uint32_t *tuple = s->tuple_chunks[s->tuple_chunk] + s->tuple_chunk_used;
  tuple[0] = count | from->log_words << TUPLE_COUNT_BITS | from->flags;
  tuple[1] = from->parent;
  memcpy (tuple + TUPLE_HEADER, ids, count * sizeof *ids);
  if (from->log_words) memcpy (tuple + TUPLE_HEADER + count, from->log, from->log_words * sizeof *from->log);
  return s->tuple_chunk << TUPLE_CHUNK_BITS | s->tuple_chunk_used;
}

static void count_state (store *s) {
  _Atomic uint32_t *all = &s->tables->num_states;
  s->num_added++;
  if (!s->tables->concurrent) {
    atomic_store_explicit (all, s->num_added, memory_order_relaxed);
    return;
  }
  if (++s->untold < TELL_AFTER) return;
  store_tell (s);
}

void store_tell (store *s) {
  if (s->untold) atomic_fetch_add (&s->tables->num_states, s->untold);
  s->untold = 0;
}

// If the table grows at this moment the address may be wrong, which does no harm.
void store_prefetch_slot (const store *s, uint64_t hash) {
  const name_table *t = &s->tables->state_slots;
  if (s->tables->bits.words) {
    bitstate_prefetch (&s->tables->bits, hash);
    return;
  }
  _Atomic uint64_t *slots = __atomic_load_n (&t->slots, __ATOMIC_RELAXED);
  __builtin_prefetch (&slots[first_slot (hash, __atomic_load_n (&t->size, __ATOMIC_RELAXED))]);
}

void store_prefetch_state (const store *s, uint64_t hash) {
  const name_table *t = &s->tables->state_slots;
  if (s->tables->bits.words) return;
  uint64_t slot = slot_at (t, first_slot (hash, t->size));
  if ((uint32_t) slot == tag_of (hash)) __builtin_prefetch (store_tuple (s, (state_id) (slot >> 32)));
}

static bool is_stored_state (const store *s, state_id state, const uint32_t *ids, uint32_t count) {
  uint32_t known;
  const uint32_t *other = store_state (s, state, &known);
  return known == count && !memcmp (other, ids, count * sizeof *ids);
}

// Adds flags to a state; returns whether these are its first.
static bool add_flags (const store *s, state_id state, uint32_t flags) {
  uint32_t *lengths = (uint32_t *) store_tuple (s, state);
  if (!(flags & ~tuple_lengths (lengths))) return false;
  return !(__atomic_fetch_or (lengths, flags, __ATOMIC_RELAXED) & TUPLE_FLAGS);
}

// With bits, a state with flags counts as another state than the one without: both are expanded.
static state_id push_tuple (store *s, const uint32_t *ids, uint32_t count, uint64_t hash, const tuple_origin *from,
                            bool *is_new) {
  *is_new = bitstate_add (&s->tables->bits, from->flags ? hash_u64 (~hash) : hash);
  if (!*is_new) return IR_NONE;
  state_id state = copy_tuple (s, ids, count, from);
  s->tuple_chunk_used += tuple_words (count, from);
  count_state (s);
  return state;
}

void store_forget_after (store *s, state_id state) {
  const uint32_t *tuple = store_tuple (s, state);
  s->tuple_chunk = state >> TUPLE_CHUNK_BITS;
  s->tuple_chunk_used = (state & (TUPLE_CHUNK - 1)) + TUPLE_HEADER + tuple_count (tuple) + tuple_log_words (tuple);
}

state_id store_add_state (store *s, const uint32_t *ids, uint32_t count, uint64_t hash, tuple_origin from,
                          bool *is_new) {
  name_table *t = &s->tables->state_slots;
  while (count && !ids[count - 1]) count--;
  if (s->tables->bits.words) return push_tuple (s, ids, count, hash, &from, is_new);
  if (state_table_is_full (s->tables)) grow_table (s, (table_growth){state_table_is_full, grow_states});
  state_id mine = 0;
  for (uint32_t k = first_slot (hash, t->size);; k = (k + 1) & (t->size - 1)) {
    uint64_t slot = slot_at (t, k);
    if (!slot) {
      if (!mine) mine = copy_tuple (s, ids, count, &from);
      if (claim_slot (s, t, k, packed_slot (hash, mine), &slot)) {
        s->tuple_chunk_used += tuple_words (count, &from);
        count_state (s);
        *is_new = true;
        return mine;
      }
    }
    state_id state = (state_id) (slot >> 32);
    if ((uint32_t) slot != tag_of (hash) || !is_stored_state (s, state, ids, count)) continue;
    *is_new = add_flags (s, state, from.flags);
    return state;
  }
}

bool store_has_state (const store *s, const uint32_t *ids, uint32_t count, uint64_t hash) {
  const name_table *t = &s->tables->state_slots;
  if (s->tables->bits.words) return false;
  while (count && !ids[count - 1]) count--;
  for (uint32_t k = first_slot (hash, t->size);; k = (k + 1) & (t->size - 1)) {
    uint64_t slot = slot_at (t, k);
    if (!slot) return false;
    if ((uint32_t) slot == tag_of (hash) && is_stored_state (s, (state_id) (slot >> 32), ids, count)) return true;
  }
}

// ---- life cycle ---------------------------------------------------------------------------------------
static void init_slots (name_table *t, bool concurrent) {
  t->size = concurrent ? FIRST_SHARED_SLOTS : FIRST_SLOTS;
  t->slots = mem_zalloc (sizeof *t->slots * t->size);
}

static void release_slots (name_table *t) { mem_free (t->slots, sizeof *t->slots * t->size); }

void store_tables_init (store_tables *t, bool concurrent) {
  *t = (store_tables){.concurrent = concurrent};
  init_slots (&t->component_slots, concurrent);
  init_slots (&t->state_slots, concurrent);
  t->tuple_chunks = mem_zalloc (sizeof *t->tuple_chunks * TUPLE_CHUNKS);
  t->tuple_chunk_words = mem_zalloc (sizeof *t->tuple_chunk_words * TUPLE_CHUNKS);
  pthread_mutex_init (&t->growth, NULL);
}

void store_use_bits (store_tables *t, uint64_t bytes) { bitstate_init (&t->bits, bytes); }

void store_tables_release (store_tables *t) {
  bitstate_release (&t->bits);
  for (uint32_t k = 0; k < NUM_BLOCKS; k++) mem_free (t->blocks[k], block_bytes (k));
  for (uint32_t k = 0; k < t->num_tuple_chunks; k++) free_tuple_chunk (t, k);
  mem_free (t->tuple_chunks, sizeof *t->tuple_chunks * TUPLE_CHUNKS);
  mem_free (t->tuple_chunk_words, sizeof *t->tuple_chunk_words * TUPLE_CHUNKS);
  release_slots (&t->component_slots);
  release_slots (&t->state_slots);
  vec_release (&t->stores);
  pthread_mutex_destroy (&t->growth);
}

void store_init (store *s, store_tables *t) {
  *s = (store){.tables = t, .tuple_chunks = t->tuple_chunks, .tuple_chunk = IR_NONE};
  vec_push (&t->stores, s);
}

void store_release (store *s) {
  for (uint32_t k = 0; k < s->chunks.count; k++) mem_free (s->chunks.data[k].bytes, s->chunks.data[k].size);
  vec_release (&s->chunks);
}

uint32_t store_num_components (const store_tables *t) {
  uint32_t count = t->num_components;
  for (uint32_t k = 0; k < t->stores.count; k++) count -= t->stores.data[k]->spare_component != 0;
  return count;
}

size_t store_bytes (const store_tables *t) {
  size_t bytes = sizeof (component) * t->num_components;
  for (uint32_t k = 0; k < t->num_tuple_chunks; k++) bytes += t->tuple_chunk_words[k] * sizeof (uint32_t);
  bytes += ((size_t) t->component_slots.size + t->state_slots.size) * sizeof (uint64_t) + t->bits.num_bits / 8;
  for (uint32_t k = 0; k < t->stores.count; k++)
    for (uint32_t c = 0; c < t->stores.data[k]->chunks.count; c++) bytes += t->stores.data[k]->chunks.data[c].size;
  return bytes;
}
