// Facts about sharing, which grow from walk to walk; see sharing.h. Two uses of the same bytes by two threads make the
// bytes shared, unless one use must end before the other begins: before the second thread was started, or after the
// first was joined.
#include "engine/order/sharing.h"

#include "base/hash.h"

void sharing_init (sharing *f, const ir_program *p, uint32_t num_static_objects) {
  *f = (sharing){0};
  pointers_init (&f->pointers, p);
  f->pointers.exact_below = ANY_OFFSET;
  f->pointers.no_strides = true;
  for (uint32_t k = 0; k < num_static_objects; k++) vec_push (&f->objects, ((sharing_object_facts){0}));
}

void sharing_release (sharing *f) {
  for (uint32_t k = 0; k < f->objects.count; k++) {
    vec_release (&f->objects.data[k].bytes);
    vec_release (&f->objects.data[k].offsets);
    vec_release (&f->objects.data[k].targets);
    vec_release (&f->objects.data[k].locks);
  }
  vec_release (&f->objects);
  map_release (&f->objects_by_key);
  map_release (&f->threads_by_key);
  pointers_release (&f->pointers);
  vec_release (&f->uses);
  map_release (&f->used);
}

// ---- names ------------------------------------------------------------------------------------------
static uint64_t occurrence_key (uint32_t thread, ir_edge e, uint32_t occurrence) {
  return (uint64_t) thread << 57 | (uint64_t) e.i << 32 | occurrence;
}

uint32_t sharing_object (sharing *f, uint32_t thread, ir_edge e, uint32_t occurrence) {
  bool is_new;
  uint64_t *number = map_insert (&f->objects_by_key, occurrence_key (thread, e, occurrence), f->objects.count, &is_new);
  if (is_new) vec_push (&f->objects, ((sharing_object_facts){0}));
  return (uint32_t) *number;
}

uint32_t sharing_thread (sharing *f, uint32_t parent, ir_edge e, uint32_t occurrence, ir_proc entry) {
  bool is_new;
  uint64_t key = hash_pair (occurrence_key (parent, e, occurrence), entry.i);
  uint64_t *number = map_insert (&f->threads_by_key, key, f->num_threads + 1, &is_new);
  f->num_threads += is_new;
  return (uint32_t) *number;
}

static bool set_has_thread (thread_set s, uint32_t thread) { return s >> thread & 1; }

// ---- bytes ------------------------------------------------------------------------------------------
static byte_facts *byte_facts_at (sharing *f, uint32_t object, uint32_t at) {
  sharing_object_facts *o = &f->objects.data[object];
  while (o->bytes.count <= at) vec_push (&o->bytes, ((byte_facts){0}));
  return &o->bytes.data[at];
}

bool sharing_shared (const sharing *f, uint32_t object, uint32_t first, uint32_t end) {
  const sharing_object_facts *o = &f->objects.data[object];
  for (uint32_t at = first; at < end && at < o->bytes.count; at++)
    if (o->bytes.data[at].shared) return true;
  return false;
}

static void mark_bytes_shared (sharing *f, uint32_t object, uint32_t first, uint32_t end) {
  for (uint32_t at = first; at < end; at++) {
    byte_facts *b = byte_facts_at (f, object, at);
    f->grew |= !b->shared;
    b->shared = true;
  }
}

static void cut_cell_at (sharing *f, uint32_t object, uint32_t at) {
  byte_facts *b = byte_facts_at (f, object, at);
  f->grew |= !b->cut;
  b->cut = true;
}

void sharing_need_cell (sharing *f, uint32_t object, uint32_t first, uint32_t end) {
  cut_cell_at (f, object, first);
  cut_cell_at (f, object, end);
  mark_bytes_shared (f, object, first, end);
}

uint32_t sharing_cell_end (const sharing *f, uint32_t object, uint32_t first, uint32_t end) {
  const sharing_object_facts *o = &f->objects.data[object];
  uint32_t at = first + 1;
  while (at < end && !(at < o->bytes.count && o->bytes.data[at].cut)) at++;
  return at;
}

void sharing_share_all (sharing *f, uint32_t object, uint32_t size) {
  if (f->objects.data[object].all_shared) return;
  f->objects.data[object].all_shared = true;
  mark_bytes_shared (f, object, 0, size);
}

void sharing_need_grain (sharing *f, uint32_t object, uint32_t grain) {
  sharing_object_facts *o = &f->objects.data[object];
  uint32_t now = common_divisor (o->grain, grain);
  f->grew |= now != o->grain;
  o->grain = now;
}

void sharing_mark_end (sharing *f, uint32_t object) {
  f->grew |= !f->objects.data[object].ends;
  f->objects.data[object].ends = true;
}

void sharing_mark_destroyed (sharing *f, uint32_t object) {
  f->grew |= !f->objects.data[object].destroyed;
  f->objects.data[object].destroyed = true;
}

// For an object without locks the mark does not matter.
void sharing_mark_copied (sharing *f, uint32_t object) {
  sharing_object_facts *o = &f->objects.data[object];
  f->grew |= !o->copied && o->synchronises;
  o->copied = true;
}

void sharing_mark_synchronises (sharing *f, uint32_t object) { f->objects.data[object].synchronises = true; }

bool sharing_destroyed (const sharing *f, uint32_t object) {
  return f->objects.data[object].destroyed || f->objects.data[object].copied;
}

void sharing_mark_made (sharing *f, uint32_t object, uint8_t kind, uint32_t thread, uint32_t size) {
  sharing_object_facts *o = &f->objects.data[object];
  f->grew |= !o->known || o->size != size;
  o->known = true;
  o->kind = kind;
  o->thread = thread;
  o->size = size;
}

void sharing_mark_by_word (sharing *f, uint32_t object) {
  f->grew |= !f->objects.data[object].locks_by_word;
  f->objects.data[object].locks_by_word = true;
}

void sharing_mark_lock (sharing *f, uint32_t object, lock_fact lock) {
  sharing_object_facts *o = &f->objects.data[object];
  for (uint32_t k = 0; k < o->locks.count; k++)
    if (o->locks.data[k].offset == lock.offset && o->locks.data[k].family == lock.family) return;
  vec_push (&o->locks, lock);
  f->grew = true;
}

void sharing_mark_shadowed (sharing *f, uint32_t object) {
  f->grew |= !f->objects.data[object].shadowed;
  f->objects.data[object].shadowed = true;
}

void sharing_mark_waiter (sharing *f, uint32_t thread) {
  f->grew |= !set_has_thread (f->waiters, thread);
  f->waiters |= (thread_set) 1 << thread;
}

bool sharing_ends (const sharing *f, uint32_t object) { return f->objects.data[object].ends; }

// ---- addresses in memory ----------------------------------------------------------------------------
void sharing_add_targets (sharing *f, uint32_t object, uint32_t offset, uint32_t set) {
  sharing_object_facts *o = &f->objects.data[object];
  if (set == IDSET_EMPTY) return;
  uint32_t all = idset_unite (&f->pointers.sets, o->all_targets, set), k = 0;
  o->all_targets = all;
  while (k < o->offsets.count && o->offsets.data[k] != offset) k++;
  if (k == o->offsets.count) {
    vec_push (&o->offsets, offset);
    vec_push (&o->targets, IDSET_EMPTY);
  }
  uint32_t now = idset_unite (&f->pointers.sets, o->targets.data[k], set);
  f->grew |= now != o->targets.data[k];
  o->targets.data[k] = now;
}

uint32_t sharing_targets (sharing *f, uint32_t object, uint32_t offset) {
  const sharing_object_facts *o = &f->objects.data[object];
  if (offset == ANY_OFFSET) return o->all_targets;
  uint32_t set = IDSET_EMPTY;
  for (uint32_t k = 0; k < o->offsets.count; k++)
    if (o->offsets.data[k] == ANY_OFFSET || (o->offsets.data[k] < offset + 8 && offset < o->offsets.data[k] + 8))
      set = idset_unite (&f->pointers.sets, set, o->targets.data[k]);
  return set;
}

// ---- uses that may happen in parallel ---------------------------------------------------------------
static uint64_t memory_use_hash (const memory_use *u) {
  uint64_t h = hash_pair ((uint64_t) u->object << 32 | u->first, (uint64_t) u->end << 32 | u->thread);
  h = hash_pair (h, (uint64_t) u->num_children << 1 | u->write);
  return hash_pair (h, hash_pair ((uint64_t) u->joined, (uint64_t) (u->joined >> 64)));
}

bool sharing_use (sharing *f, memory_use u) {
  bool is_new;
  map_insert (&f->used, memory_use_hash (&u), 0, &is_new);
  if (is_new) vec_push (&f->uses, u);
  return is_new;
}

// In every execution, use `a` comes before all uses of thread b, because b (or an ancestor of b) is started later by
// a's thread.
static bool before_start (const thread_tree *t, const memory_use *a, uint32_t b) {
  for (uint32_t below = b; t->parent[below] != IR_NONE; below = t->parent[below])
    if (t->parent[below] == a->thread) return a->num_children <= t->child_number[below];
  return false;
}

static bool uses_are_ordered (const thread_tree *t, const memory_use *a, const memory_use *b) {
  return set_has_thread (b->joined, a->thread) || before_start (t, a, b->thread);
}

static bool uses_may_be_parallel (const thread_tree *t, const memory_use *a, const memory_use *b) {
  if (a->thread == b->thread || !(a->write || b->write)) return false;
  if (a->first >= b->end || b->first >= a->end) return false;
  return !uses_are_ordered (t, a, b) && !uses_are_ordered (t, b, a);
}

static void share_both (sharing *f, const memory_use *a, const memory_use *b) {
  mark_bytes_shared (f, a->object, a->first, a->end);
  mark_bytes_shared (f, b->object, b->first, b->end);
}

void sharing_learn (sharing *f, const thread_tree *t) {
  VEC (uint32_t) heads = {0}, next = {0};  // uses by object
  for (uint32_t k = 0; k < f->objects.count; k++) vec_push (&heads, IR_NONE);
  for (uint32_t k = 0; k < f->uses.count; k++) {
    const memory_use *a = &f->uses.data[k];
    for (uint32_t other = heads.data[a->object]; other != IR_NONE; other = next.data[other])
      if (uses_may_be_parallel (t, a, &f->uses.data[other])) share_both (f, a, &f->uses.data[other]);
    vec_push (&next, heads.data[a->object]);
    heads.data[a->object] = k;
  }
  vec_release (&heads);
  vec_release (&next);
  vec_clear (&f->uses);
  map_clear (&f->used);
}
