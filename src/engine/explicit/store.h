// Components and states, each kept once.  A component is the bytes of one thread or one page of an object.  A state is a tuple of
// component ids by position; 0 is the position's initial content; trailing zeros are not stored.
//
// A state is named by the place of its tuple: word number in the chunks.  A slot of the hash table holds place and a tag of the hash, so
// a probe touches the tuple only if it is almost certainly the one.
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
// Tuples and components never move, so what store_state and store_component return stays valid.
//
// With store_use_bits only bits tell whether a state is new; tuples are a stack then, for a depth-first search by one worker:
// store_forget_after drops those that were put in after a state.
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
  FIRST_BLOCK_BITS = 10,       // components of the first block; each further one is twice as large
  NUM_BLOCKS = 32 - FIRST_BLOCK_BITS
};
#define TUPLE_FLAGS 0xC0000000u
typedef uint32_t state_id;

// How a state was reached: the state before and, in a reduced search, the big step from there: words of thread and number of steps.
// Flags: what is asked of the state's expansion, up to two bits of TUPLE_FLAGS; they only ever become more.
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
  uint32_t **tuple_chunks;     // [0..num_tuple_chunks[, place for TUPLE_CHUNKS
  uint32_t *tuple_chunk_words; // of each its size: a tuple that is larger than the usual chunk has one for itself
  _Atomic uint32_t num_components, num_tuple_chunks, num_states;  // ids from 1; what workers have not yet told is missing
  bit_table bits;              // if used, instead of state_slots
  VEC (store *) stores;
  pthread_mutex_t growth;      // held while a table grows
  atomic_bool growing;
} store_tables;

// What one worker needs to reach the tables and to put into them.
struct store {
  store_tables *tables;
  uint32_t **tuple_chunks;
  VEC (component_chunk) chunks;  // component bytes go into the last one
  uint32_t chunk_used;
  uint32_t tuple_chunk, tuple_chunk_used;  // tuples go there; IR_NONE: no chunk yet
  uint32_t spare_component;    // an id that was taken but not needed, 0: none
  uint32_t num_added, untold;  // states it has put in; of these, not yet in tables->num_states
  atomic_bool inside;          // it looks at slots now: they must not move
  bool grows;                  // it holds tables->growth
};

void store_tables_init (store_tables *, bool concurrent);
void store_tables_release (store_tables *);
void store_use_bits (store_tables *, uint64_t bytes);
void store_forget_after (store *, state_id);
void store_init (store *, store_tables *);
void store_release (store *);
void store_tell (store *);                                                  // makes store_num_states exact, as far as this worker goes
void store_abandon (store *);                                               // out of memory in the midst of it: lets the others go on
size_t store_bytes (const store_tables *);                                  // held for all of this; no worker may be at work
uint32_t store_num_components (const store_tables *);
uint64_t store_hash (const uint32_t *ids, uint32_t count);                  // trailing zeros do not count
uint32_t store_intern (store *, const uint8_t *bytes, uint32_t size);       // component id, from 1
void store_prefetch_slot (const store *, uint64_t hash);    // begin to fetch what store_add_state will look at: the slot,
void store_prefetch_state (const store *, uint64_t hash);   // and, when that has arrived, the state in it
// Around calls of the one above and the one below, but not of store_intern: the table stays where it is for the others.
void store_enter (store *);
void store_leave (store *);
// is_new: it has to be expanded, because it was not there or had no flags and now has.  (With bits, one that is not new has no name.)
state_id store_add_state (store *, const uint32_t *ids, uint32_t count, uint64_t hash, tuple_origin, bool *is_new);
bool store_has_state (const store *, const uint32_t *ids, uint32_t count, uint64_t hash);  // between store_enter and store_leave too; bits do not tell

static inline uint32_t component_block (uint32_t id) { return 31u - FIRST_BLOCK_BITS - (uint32_t) __builtin_clz (id + (1u << FIRST_BLOCK_BITS)); }
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
// The first word may get flags at any time; the rest of it stays.
static inline uint32_t tuple_lengths (const uint32_t *tuple) { return __atomic_load_n (tuple, __ATOMIC_RELAXED); }
static inline uint32_t tuple_count (const uint32_t *tuple) { return tuple_lengths (tuple) & ((1u << TUPLE_COUNT_BITS) - 1); }
static inline uint32_t tuple_log_words (const uint32_t *tuple) { return (tuple_lengths (tuple) & ~TUPLE_FLAGS) >> TUPLE_COUNT_BITS; }
static inline uint32_t store_flags (const store *s, state_id state) { return tuple_lengths (store_tuple (s, state)) & TUPLE_FLAGS; }
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
static inline state_id store_parent (const store *s, state_id state) { return store_tuple (s, state)[1]; }  // IR_NONE: the first
static inline uint32_t store_num_states (const store *s) { return s->tables->num_states; }  // of all workers
static inline uint32_t store_num_added (const store *s) { return s->num_added; }            // of this one

#endif
