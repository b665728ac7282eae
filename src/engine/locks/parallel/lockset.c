// Lock sets must be disjoint, and no two held locks may each have been taken, by the other thread, after the other one
// (LOCK theorem 5).  Readers do not exclude each other.  What runs inside `once` excludes who has seen it done.
#include "engine/locks/parallel/parallel.h"

#include <string.h>


void guards_init (guards *t, lock_analysis *a) { *t = (guards){.analysis = a}; }

void guards_release (guards *t) {
  intern_release (&t->table);
  map_release (&t->meetings);
}

// ---- from a state ----------------------------------------------------------------------------------------------
static uint32_t fixed_part (guards *t, uint32_t set) {
  lock_analysis *a = t->analysis;
  uint32_t count, rest = set;
  const uint32_t *items = idset_items (&a->effects.sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t lock = use_lock ((lock_use){items[k]});
    if (!lock_is_fixed (&a->locks, lock) || !trust_lock (a, lock))
      rest = idset_remove (&a->effects.sets, rest, items[k]);
  }
  return rest;
}

static uint32_t fixed_since (guards *t, uint32_t set) {
  lock_analysis *a = t->analysis;
  uint32_t count, rest = set;
  const uint32_t *items = idset_items (&a->effects.sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t lock = use_lock ((lock_use){effect_pair (&a->effects, items[k]).use});
    if (!lock_is_fixed (&a->locks, lock) || !trust_lock (a, lock))
      rest = idset_remove (&a->effects.sets, rest, items[k]);
  }
  return rest;
}

static guard_beside beside_new (const lock_node *n, bool reads, address accessed) {
  guard_beside b;
  memset (&b, 0, sizeof b);  // padding takes part in the comparison
  b.family = n->family;
  b.reads = reads;
  b.distance = n->offset - accessed.offset;
  b.lock_base = b.base = VALUE_NONE;
  return b;
}

static bool add_element (lock_analysis *a, guard_beside *b, const lock_node *n, address accessed) {
  element lock = element_of (&a->values, (address){{n->base}, n->offset}), datum = element_of (&a->values, accessed);
  if (!lock.yes || !datum.yes || lock.index.i != datum.index.i || !element_tells (&a->values, datum, lock.stride))
    return false;
  b->lock_base = lock.base.i;
  b->base = datum.base.i;
  b->offset = datum.offset;
  b->lock_stride = lock.stride;
  b->stride = datum.stride;
  return true;
}

static void add_beside (lock_analysis *a, guard *g, const lock_node *n, bool reads, address accessed) {
  if (n->base == VALUE_NONE || accessed.base.i == VALUE_NONE || g->num_beside == MOST_BESIDE) return;
  guard_beside b = beside_new (n, reads, accessed);
  if (n->base == accessed.base.i || add_element (a, &b, n, accessed)) g->beside[g->num_beside++] = b;
}

static void add_lock (guards *t, guard *g, const held_lock *h, address accessed) {
  lock_analysis *a = t->analysis;
  lock_use u = {h->use};
  uint32_t lock = use_lock (u);
  if (!h->sure || lock_is_vague (&a->locks, lock) || !trust_lock (a, lock)) return;
  if (lock_is_fixed (&a->locks, lock)) g->locks[g->num_locks++] = (guard_lock){h->use, fixed_part (t, h->history)};
  else add_beside (a, g, lock_at (&a->locks, lock), use_reads (u), accessed);
}

static uint32_t intern_guard (guards *t, const guard *g) {
  char bytes[sizeof (guard)], *at = bytes;
  uint32_t head[] = {g->num_locks, g->num_beside, g->facts, g->acquired, g->since, 0};
  memcpy (at, head, sizeof head), at += sizeof head;
  memcpy (at, g->locks, g->num_locks * sizeof *g->locks), at += g->num_locks * sizeof *g->locks;
  memcpy (at, g->beside, g->num_beside * sizeof *g->beside), at += g->num_beside * sizeof *g->beside;
  return intern_add (&t->table, bytes, (size_t) (at - bytes), NULL);
}

void guard_load (const guards *t, uint32_t number, guard *g) {
  const char *at = intern_get (&t->table, number, NULL);
  uint32_t head[6];
  memcpy (head, at, sizeof head), at += sizeof head;
  *g = (guard){.num_locks = head[0], .num_beside = head[1], .facts = head[2], .acquired = head[3], .since = head[4]};
  memcpy (g->locks, at, g->num_locks * sizeof *g->locks), at += g->num_locks * sizeof *g->locks;
  memcpy (g->beside, at, g->num_beside * sizeof *g->beside);
}

uint32_t guard_of (guards *t, const effect *state, address accessed) {
  guard g = {0};
  if (!state->lost) {
    for (uint32_t k = 0; k < state->num_held; k++) add_lock (t, &g, &state->held[k], accessed);
    g.facts = fixed_part (t, state->facts);
    g.acquired = fixed_part (t, state->acquired);
    g.since = fixed_since (t, state->since);
  }
  return intern_guard (t, &g);
}

// ---- meeting -----------------------------------------------------------------------------------------------------
static bool set_excludes (const guards *t, uint32_t set, lock_use u) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->analysis->effects.sets, set, &count);
  for (uint32_t k = 0; k < count; k++)
    if (uses_exclude ((lock_use){items[k]}, u)) return true;
  return false;
}

static bool exclude (const guards *t, const guard_lock *x, const guard_lock *y) {
  lock_use u = {x->use}, v = {y->use};
  return uses_exclude (u, v) || (set_excludes (t, x->history, v) && set_excludes (t, y->history, u));
}

static bool locks_exclude (const guards *t, const guard *a, const guard *b) {
  for (uint32_t i = 0; i < a->num_locks; i++)
    for (uint32_t k = 0; k < b->num_locks; k++)
      if (exclude (t, &a->locks[i], &b->locks[k])) return true;
  return false;
}

static bool facts_exclude (const guards *t, const guard *inside, const guard *after) {
  for (uint32_t k = 0; k < inside->num_locks; k++) {
    lock_use u = {inside->locks[k].use};
    if (lock_at (&t->analysis->locks, use_lock (u))->family == LOCK_ONCE &&
        idset_has (&t->analysis->effects.sets, after->facts, u.i))
      return true;
  }
  return false;
}

bool guards_beside_alike (const guard_beside *x, const guard_beside *y) {
  return x->family == y->family && x->distance == y->distance && x->lock_base == y->lock_base && x->base == y->base &&
         x->offset == y->offset && x->lock_stride == y->lock_stride && x->stride == y->stride;
}

static bool beside_exclude (const guard *a, const guard *b) {
  for (uint32_t i = 0; i < a->num_beside; i++)
    for (uint32_t k = 0; k < b->num_beside; k++) {
      const guard_beside *x = &a->beside[i], *y = &b->beside[k];
      if (guards_beside_alike (x, y) && !(x->reads && y->reads)) return true;
    }
  return false;
}

static bool meet (const guards *t, uint32_t x, uint32_t y, bool same_address) {
  guard a, b;
  guard_load (t, x, &a);
  guard_load (t, y, &b);
  return !(locks_exclude (t, &a, &b) || facts_exclude (t, &a, &b) || facts_exclude (t, &b, &a) ||
           (same_address && beside_exclude (&a, &b)));
}

bool guards_meet (guards *t, uint32_t a, uint32_t b, bool same_address) {
  if (a > b) {
    uint32_t swap = a;
    a = b;
    b = swap;
  }
  uint64_t key = ((uint64_t) a << 32 | b) << 1 | same_address;
  const uint64_t *known = map_find (&t->meetings, key);
  if (known) return *known;
  bool answer = meet (t, a, b, same_address);
  map_insert (&t->meetings, key, answer, NULL);
  return answer;
}

// ---- comparison ----------------------------------------------------------------------------------------------------
static bool has_lock (const guards *t, const guard *g, const guard_lock *l) {
  for (uint32_t k = 0; k < g->num_locks; k++)
    if (g->locks[k].use == l->use && idset_within (&t->analysis->effects.sets, l->history, g->locks[k].history))
      return true;
  return false;
}

static bool has_beside (const guard *g, const guard_beside *b) {
  for (uint32_t k = 0; k < g->num_beside; k++)
    if (!memcmp (&g->beside[k], b, sizeof *b)) return true;
  return false;
}

bool guard_covers (const guards *t, const guard *weaker, const guard *stronger) {
  for (uint32_t k = 0; k < weaker->num_locks; k++)
    if (!has_lock (t, stronger, &weaker->locks[k])) return false;
  for (uint32_t k = 0; k < weaker->num_beside; k++)
    if (!has_beside (stronger, &weaker->beside[k])) return false;
  const idsets *sets = &t->analysis->effects.sets;
  return idset_within (sets, weaker->facts, stronger->facts) &&
         idset_within (sets, weaker->acquired, stronger->acquired) &&
         idset_within (sets, weaker->since, stronger->since);
}
