// Components and states, each stored once. A component is the bytes of one thread or one page of an object. A state is
// a tuple of component ids by position; 0 is the position's initial content; trailing zeros are not stored.
//
// The name of a state is the position of its tuple: a word number in the chunks. A slot of the hash table holds the
// name and a tag of the hash, so a probe reads the tuple only if it is almost certainly the right one.
//
// Several workers may share the tables, each through a store of its own:
//
//   store_tables_init (&tables, true);
//   store_init (&mine, &tables);              // one per worker, before the threads start
//   ... in its thread:
//   id = store_intern (&mine, ...);
//   store_enter (&mine); state = store_add_state (&mine, ...); store_leave (&mine);
//   ids = store_state (&mine, state, &count);
//   store_release (&mine);                    // when all threads have ended
//   store_tables_release (&tables);
//
// Tuples and components never move, so the results of store_state and store_component stay valid.
//
// With store_use_bits only bits tell whether a state is new. Tuples then form a stack, for a depth-first search by one
// worker: store_forget_after removes the tuples that were added after a state.
#ifndef LOCKSTEP_EXPLICIT_STORE_H
#define LOCKSTEP_EXPLICIT_STORE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/vec.h"
#include "engine/explicit/bitstate.h"

enum {
  TUPLE_CHUNK_BITS = 18,
  TUPLE_CHUNKS = 1 << (32 - TUPLE_CHUNK_BITS),
  TUPLE_HEADER = 2,            // words: lengths of tuple and log, parent
  TUPLE_COUNT_BITS = 20,
  FIRST_BLOCK_BITS = 10,       // components of the first block; each further block is twice as large
  NUM_BLOCKS = 32 - FIRST_BLOCK_BITS
};
#define TUPLE_FLAGS 0xC0000000u
typedef uint32_t state_id;

// How a state was reached: the state before it and, in a reduced search, the big step from there (words of thread and
// number of steps). Flags: requests about the expansion of the state, up to two bits of TUPLE_FLAGS; flags are only
// added, never removed.
enum { STEP_COUNT_BITS = 24, LOG_WORDS = 1000 /* words */ };
typedef struct tuple_origin { state_id parent; const uint32_t *log; uint32_t log_words, flags; } tuple_origin;

typedef struct component { const uint8_t *bytes; uint32_t size; } component;
typedef struct component_chunk { uint8_t *bytes; uint32_t size; } component_chunk;

// Open addressing, linear probing.
typedef struct name_table { _Atomic uint64_t *slots; uint32_t size; } name_table;  // name << 32 | tag; 0 free

typedef struct store store;
typedef struct store_tables {
  bool concurrent;
  name_table component_slots, state_slots;
  _Atomic (component *) blocks[NUM_BLOCKS];
  uint32_t **tuple_chunks;     // [0..num_tuple_chunks[, with room for TUPLE_CHUNKS
  uint32_t *tuple_chunk_words;  // size of each: a tuple larger than the usual chunk has a chunk of its own
  // ids start at 1; states that workers have not counted here yet are missing
  _Atomic uint32_t num_components, num_tuple_chunks, num_states;
  bit_table bits;              // used instead of state_slots in a bitstate search
  VEC (store *) stores;
  pthread_mutex_t growth;      // held while a table grows
  atomic_bool growing;
} store_tables;

// The part of one worker: access to the tables, and chunks that it fills.
struct store {
  store_tables *tables;
  uint32_t **tuple_chunks;
  VEC (component_chunk) chunks;  // component bytes are added to the last one
  uint32_t chunk_used;
  uint32_t tuple_chunk, tuple_chunk_used;  // where tuples are added; IR_NONE: no chunk yet
  uint32_t spare_component;    // an id that was reserved but not needed, 0: none
  uint32_t num_added, untold;  // states that it has added; those not counted in tables->num_states yet
  atomic_bool inside;          // it reads slots now: they must not move
  bool grows;                  // it holds tables->growth
};

void store_tables_init (store_tables *, bool concurrent);
void store_tables_release (store_tables *);
void store_use_bits (store_tables *, uint64_t bytes);
void store_forget_after (store *, state_id);
void store_init (store *, store_tables *);
void store_release (store *);
void store_tell (store *);  // counts this worker's states in store_num_states
void store_abandon (store *);  // the worker is out of memory: releases what others wait for
size_t store_bytes (const store_tables *);  // memory of all tables; no worker may be running
uint32_t store_num_components (const store_tables *);
uint64_t store_hash (const uint32_t *ids, uint32_t count);                  // trailing zeros make no difference
uint32_t store_intern (store *, const uint8_t *bytes, uint32_t size);       // returns the component id, from 1 on
void store_prefetch_slot (const store *, uint64_t hash);    // prefetches the slot that store_add_state will read,
void store_prefetch_state (const store *, uint64_t hash);   // and, when that has arrived, the state in it
// Call these around store_prefetch_state and store_add_state, but not around store_intern: in between the table does
// not move.
void store_enter (store *);
void store_leave (store *);
// is_new: the state must be expanded, because it is new or got its first flags. (With bits, a state that is not new has
// no name.)
state_id store_add_state (store *, const uint32_t *ids, uint32_t count, uint64_t hash, tuple_origin, bool *is_new);
// also between store_enter and store_leave; always false with bits
bool store_has_state (const store *, const uint32_t *ids, uint32_t count, uint64_t hash);

static inline uint32_t component_block (uint32_t id) {
  return 31u - FIRST_BLOCK_BITS - (uint32_t) __builtin_clz (id + (1u << FIRST_BLOCK_BITS));
}
static inline component *store_component_at (const store_tables *t, uint32_t id) {
  uint32_t block = component_block (id), first = (1u << (FIRST_BLOCK_BITS + block)) - (1u << FIRST_BLOCK_BITS);
  return atomic_load_explicit (&t->blocks[block], memory_order_relaxed) + (id - first);
}
static inline const uint8_t *store_component (const store *s, uint32_t id, uint32_t *size) {
  const component *c = store_component_at (s->tables, id);
  *size = c->size;
  return c->bytes;
}
static inline const uint32_t *store_tuple (const store *s, state_id state) {
  return s->tuple_chunks[state >> TUPLE_CHUNK_BITS] + (state & ((1u << TUPLE_CHUNK_BITS) - 1));
}
// Other workers may add flags to the first word at any time; the rest of it does not change.
static inline uint32_t tuple_lengths (const uint32_t *tuple) { return __atomic_load_n (tuple, __ATOMIC_RELAXED); }
static inline uint32_t tuple_count (const uint32_t *tuple) {
  return tuple_lengths (tuple) & ((1u << TUPLE_COUNT_BITS) - 1);
}
static inline uint32_t tuple_log_words (const uint32_t *tuple) {
  return (tuple_lengths (tuple) & ~TUPLE_FLAGS) >> TUPLE_COUNT_BITS;
}
static inline uint32_t store_flags (const store *s, state_id state) {
  return tuple_lengths (store_tuple (s, state)) & TUPLE_FLAGS;
}
static inline const uint32_t *store_state (const store *s, state_id state, uint32_t *count) {
  const uint32_t *tuple = store_tuple (s, state);
  *count = tuple_count (tuple);
  return tuple + TUPLE_HEADER;
}
static inline const uint32_t *store_log (const store *s, state_id state, uint32_t *words) {
  const uint32_t *tuple = store_tuple (s, state);
  *words = tuple_log_words (tuple);
  return tuple + TUPLE_HEADER + tuple_count (tuple);
}
// IR_NONE: an initial state
static inline state_id store_parent (const store *s, state_id state) { return store_tuple (s, state)[1]; }
static inline uint32_t store_num_states (const store *s) { return s->tables->num_states; }  // states of all workers
static inline uint32_t store_num_added (const store *s) { return s->num_added; }            // states of this worker

#endif
