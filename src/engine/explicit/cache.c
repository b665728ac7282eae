// A cache of executed steps. A step of one thread depends on the thread's own component and on the pages it reads; it
// changes its own component and the pages it writes. Neighbouring states share most of these. The cache finds a step by
// the components that it has read: in another state with the same component ids at these positions the search replaces
// ids in the tuple instead of executing the step. (Blom, van de Pol and Weber, CAV 2010, cache the transitions of
// LTSmin in this way, with dependencies known beforehand; here the dependencies are recorded while the step runs.)
//
// A step that looks at more than that (other threads, choices, creation and death of objects, published addresses) sets
// `uncacheable` in its step record and is executed every time.
#include <string.h>

#include "base/hash.h"
#include "engine/explicit/explicit_search.h"

// One thread component reads nearly always the same positions. The list of positions is stored once, as a shape; a step
// is found by the hash of its shape and of the ids at these positions.
enum { FIRST_SLOTS = 1 << 12, SHAPE_ROOM = 4 /* of one thread component */, READ_ROOM = 24, CACHE_WORDS = 1 << 26 };

typedef struct read_shape {
  uint64_t key;
  uint32_t next, first, count;
} read_shape;  // words[first..first + count[: the positions read; next: another shape of the same thread component
typedef struct cached_step {
  uint64_t hash;
  uint32_t shape, first, writes;
} cached_step;  // words from `first` on: the ids read, then `writes` pairs of position and new id

typedef struct slot_table {
  uint32_t *slots, size, used;
} slot_table;

struct step_cache {
  VEC (read_shape) shapes;  // [0] is unused, and so is steps[0]
  VEC (cached_step) steps;
  VEC (uint32_t) words;
  uint32_t most_words;
  slot_table by_thread;  // hash of slot and thread component -> its first shape
  slot_table by_ids;     // hash of shape and ids -> step
};

static void table_init (slot_table *t) {
  *t = (slot_table){.size = FIRST_SLOTS};
  t->slots = mem_zalloc (sizeof *t->slots * t->size);
}

step_cache *cache_new (uint32_t workers) {
  step_cache *c = mem_zalloc (sizeof *c);
  c->most_words = CACHE_WORDS / workers;
  table_init (&c->by_thread);
  table_init (&c->by_ids);
  vec_push (&c->shapes, (read_shape){0});
  vec_push (&c->steps, (cached_step){0});
  return c;
}

void cache_free (step_cache *c) {
  vec_release (&c->shapes);
  vec_release (&c->steps);
  vec_release (&c->words);
  mem_free (c->by_thread.slots, sizeof (uint32_t) * c->by_thread.size);
  mem_free (c->by_ids.slots, sizeof (uint32_t) * c->by_ids.size);
  mem_free (c, sizeof *c);
}

// ---- shapes -------------------------------------------------------------------------------------------
static uint64_t thread_component_key (uint32_t slot, uint32_t thread_component) {
  return (uint64_t) slot << 32 | thread_component;
}

static uint32_t *first_shape (const step_cache *c, uint64_t key) {
  const slot_table *t = &c->by_thread;
  uint32_t k = (uint32_t) hash_u64 (key) & (t->size - 1);
  while (t->slots[k] && c->shapes.data[t->slots[k]].key != key) k = (k + 1) & (t->size - 1);
  return &t->slots[k];
}

static void grow_by_thread (step_cache *c) {
  slot_table *t = &c->by_thread;
  uint32_t *old = t->slots, size = t->size;
  t->size *= 2;
  t->slots = mem_zalloc (sizeof *t->slots * t->size);
  for (uint32_t k = 0; k < size; k++)
    if (old[k]) *first_shape (c, c->shapes.data[old[k]].key) = old[k];
  mem_free (old, sizeof *old * size);
}

// Returns the shape with these positions and adds it if it is new; returns 0 if the thread component has too many
// shapes.
static uint32_t find_or_add_shape (step_cache *c, uint64_t key, const uint32_t *positions, uint32_t count) {
  if (c->by_thread.used * 2 > c->by_thread.size) grow_by_thread (c);
  uint32_t *first = first_shape (c, key), length = 0;
  for (uint32_t at = *first; at; at = c->shapes.data[at].next, length++) {
    const read_shape *s = &c->shapes.data[at];
    if (s->count == count && !memcmp (c->words.data + s->first, positions, count * sizeof *positions)) return at;
  }
  if (length == SHAPE_ROOM) return 0;
  read_shape s = {key, *first, c->words.count, count};
  for (uint32_t k = 0; k < count; k++) vec_push (&c->words, positions[k]);
  c->by_thread.used += !*first;
  *first = c->shapes.count;
  vec_push (&c->shapes, s);
  return c->shapes.count - 1;
}

// ---- steps --------------------------------------------------------------------------------------------
static uint32_t id_at (const uint32_t *ids, uint32_t count, uint32_t position) {
  return position < count ? ids[position] : 0;
}

static uint64_t read_ids_hash (const step_cache *c, uint32_t shape, const uint32_t *ids, uint32_t count) {
  const read_shape *s = &c->shapes.data[shape];
  uint64_t hash = hash_u64 (shape);
  for (uint32_t k = 0; k < s->count; k++) hash = hash_pair (hash, id_at (ids, count, c->words.data[s->first + k]));
  return hash;
}

static bool same_reads (const step_cache *c, const cached_step *e, const uint32_t *ids, uint32_t count) {
  const read_shape *s = &c->shapes.data[e->shape];
  for (uint32_t k = 0; k < s->count; k++)
    if (c->words.data[e->first + k] != id_at (ids, count, c->words.data[s->first + k])) return false;
  return true;
}

static const cached_step *find_cached_step (const step_cache *c, uint32_t shape, const uint32_t *ids, uint32_t count) {
  uint64_t hash = read_ids_hash (c, shape, ids, count);
  const slot_table *t = &c->by_ids;
  for (uint32_t k = (uint32_t) hash & (t->size - 1); t->slots[k]; k = (k + 1) & (t->size - 1)) {
    const cached_step *e = &c->steps.data[t->slots[k]];
    if (e->hash == hash && e->shape == shape && same_reads (c, e, ids, count)) return e;
  }
  return NULL;
}

const uint32_t *cache_find (const step_cache *c, uint32_t slot, uint32_t position, const uint32_t *ids, uint32_t count,
                            uint32_t *num_writes) {
  uint32_t shape = *first_shape (c, thread_component_key (slot, id_at (ids, count, position)));
  for (; shape; shape = c->shapes.data[shape].next) {
    const cached_step *e = find_cached_step (c, shape, ids, count);
    if (!e) continue;
    *num_writes = e->writes;
    return c->words.data + e->first + c->shapes.data[shape].count;
  }
  return NULL;
}

static void place_step (slot_table *t, uint64_t hash, uint32_t step) {
  uint32_t k = (uint32_t) hash & (t->size - 1);
  while (t->slots[k]) k = (k + 1) & (t->size - 1);
  t->slots[k] = step;
}

static void grow_by_ids (step_cache *c) {
  slot_table *t = &c->by_ids;
  mem_free (t->slots, sizeof *t->slots * t->size);
  t->size *= 2;
  t->slots = mem_zalloc (sizeof *t->slots * t->size);
  for (uint32_t k = 1; k < c->steps.count; k++) place_step (t, c->steps.data[k].hash, k);
}

// The current state is the committed successor; `ids` is the state in which the step began.
void cache_add (step_cache *c, const current_state *w, uint32_t slot, const uint32_t *ids, uint32_t count) {
  if (w->step.reads.count > READ_ROOM || c->words.count > c->most_words) return;
  uint32_t shape = find_or_add_shape (c, thread_component_key (slot, ids[w->threads[slot].position]),
                                      w->step.reads.data, w->step.reads.count);
  if (!shape) return;
  if (c->steps.count * 2 > c->by_ids.size) grow_by_ids (c);
  cached_step e = {.hash = read_ids_hash (c, shape, ids, count), .shape = shape, .first = c->words.count};
  for (uint32_t k = 0; k < w->step.reads.count; k++) vec_push (&c->words, id_at (ids, count, w->step.reads.data[k]));
  for (uint32_t k = 0; k < w->ids.count; k++) {
    if (w->ids.data[k] == id_at (ids, count, k)) continue;
    vec_push (&c->words, k);
    vec_push (&c->words, w->ids.data[k]);
    e.writes++;
  }
  vec_push (&c->steps, e);
  place_step (&c->by_ids, e.hash, c->steps.count - 1);
}
