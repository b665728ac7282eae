// Two lock sets are compatible if they are disjoint and their acquisition histories are consistent: no two held locks
// were each acquired, by the other thread, after the other one (LOCK theorem 5).  Readers do not exclude each other.  A
// thread inside `once` excludes all threads that have seen it done.
#include "base/limits.h"
#include "engine/locks/parallel/parallel.h"

#include <string.h>

void locksets_init (locksets *t, lock_analysis *a) { *t = (locksets){.analysis = a}; }

void locksets_release (locksets *t) {
  intern_release (&t->table);
  map_release (&t->compatible);
}

// ---- from a state ----------------------------------------------------------------------------------------------
static uint32_t fixed_part (locksets *t, uint32_t set) {
  lock_analysis *a = t->analysis;
  uint32_t count, rest = set;
  const uint32_t *items = idset_items (&a->effects.sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t lock = use_lock ((lock_use){items[k]});
    if (!lock_is_fixed (&a->locks, lock) || !lock_is_disciplined (a, lock))
      rest = idset_remove (&a->effects.sets, rest, items[k]);
  }
  return rest;
}

static uint32_t fixed_since (locksets *t, uint32_t set) {
  lock_analysis *a = t->analysis;
  uint32_t count, rest = set;
  const uint32_t *items = idset_items (&a->effects.sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t lock = use_lock ((lock_use){effect_pair (&a->effects, items[k]).use});
    if (!lock_is_fixed (&a->locks, lock) || !lock_is_disciplined (a, lock))
      rest = idset_remove (&a->effects.sets, rest, items[k]);
  }
  return rest;
}

static relative_lock relative_lock_new (const lock_node *n, bool reads, term_address accessed) {
  relative_lock b;
  memset (&b, 0, sizeof b);  // padding takes part in the comparison
  b.family = n->family;
  b.reads = reads;
  b.distance = n->offset - accessed.offset;
  b.lock_base = b.base = VALUE_NONE;
  return b;
}

static bool add_element (lock_analysis *a, relative_lock *b, const lock_node *n, term_address accessed) {
  element lock = element_of (&a->values, (term_address){{n->base}, n->offset}),
          datum = element_of (&a->values, accessed);
  if (!lock.found || !datum.found || lock.index.i != datum.index.i ||
      !element_fixes_lock (&a->values, datum, lock.stride))
    return false;
  b->lock_base = lock.base.i;
  b->base = datum.base.i;
  b->offset = datum.offset;
  b->lock_stride = lock.stride;
  b->stride = datum.stride;
  return true;
}

static void add_relative_lock (lock_analysis *a, lockset *g, const lock_node *n, bool reads, term_address accessed) {
  if (n->base == VALUE_NONE || accessed.base.i == VALUE_NONE || at_limit (LOCKS_BESIDE, g->num_relative)) return;
  relative_lock b = relative_lock_new (n, reads, accessed);
  if (n->base == accessed.base.i || add_element (a, &b, n, accessed)) g->relative[g->num_relative++] = b;
}

static void add_held_lock (locksets *t, lockset *g, const held_use *h, term_address accessed) {
  lock_analysis *a = t->analysis;
  lock_use u = {h->use};
  uint32_t lock = use_lock (u);
  if (!h->must || lock_is_unresolved (&a->locks, lock) || !lock_is_disciplined (a, lock)) return;
  if (lock_is_fixed (&a->locks, lock)) g->locks[g->num_locks++] = (lockset_lock){h->use, fixed_part (t, h->history)};
  else add_relative_lock (a, g, lock_at (&a->locks, lock), use_reads (u), accessed);
}

static uint32_t intern_lockset (locksets *t, const lockset *g) {
  char bytes[sizeof (lockset)], *at = bytes;
  uint32_t head[] = {g->num_locks, g->num_relative, g->facts, g->acquired, g->since, 0};
  memcpy (at, head, sizeof head), at += sizeof head;
  memcpy (at, g->locks, g->num_locks * sizeof *g->locks), at += g->num_locks * sizeof *g->locks;
  memcpy (at, g->relative, g->num_relative * sizeof *g->relative), at += g->num_relative * sizeof *g->relative;
  return intern_add (&t->table, bytes, (size_t) (at - bytes), NULL);
}

void lockset_load (const locksets *t, uint32_t number, lockset *g) {
  const char *at = intern_get (&t->table, number, NULL);
  uint32_t head[6];
  memcpy (head, at, sizeof head), at += sizeof head;
  *g =
      (lockset){.num_locks = head[0], .num_relative = head[1], .facts = head[2], .acquired = head[3], .since = head[4]};
  memcpy (g->locks, at, g->num_locks * sizeof *g->locks), at += g->num_locks * sizeof *g->locks;
  memcpy (g->relative, at, g->num_relative * sizeof *g->relative);
}

uint32_t lockset_of_state (locksets *t, const effect *state, term_address accessed) {
  lockset g = {0};
  if (!state->overflowed) {
    for (uint32_t k = 0; k < state->num_held; k++) add_held_lock (t, &g, &state->held[k], accessed);
    g.facts = fixed_part (t, state->facts);
    g.acquired = fixed_part (t, state->acquired);
    g.since = fixed_since (t, state->since);
  }
  return intern_lockset (t, &g);
}

// ---- compatibility -----------------------------------------------------------------------------------------------
bool uses_of_set_exclude (const idsets *sets, uint32_t set, lock_use u) {
  uint32_t count;
  const uint32_t *items = idset_items (sets, set, &count);
  for (uint32_t k = 0; k < count; k++)
    if (uses_exclude ((lock_use){items[k]}, u)) return true;
  return false;
}

static bool lock_pair_excludes (const locksets *t, const lockset_lock *x, const lockset_lock *y) {
  lock_use u = {x->use}, v = {y->use};
  return uses_exclude (u, v) || (uses_of_set_exclude (&t->analysis->effects.sets, x->history, v) &&
                                 uses_of_set_exclude (&t->analysis->effects.sets, y->history, u));
}

static bool held_locks_exclude (const locksets *t, const lockset *a, const lockset *b) {
  for (uint32_t i = 0; i < a->num_locks; i++)
    for (uint32_t k = 0; k < b->num_locks; k++)
      if (lock_pair_excludes (t, &a->locks[i], &b->locks[k])) return true;
  return false;
}

static bool facts_exclude (const locksets *t, const lockset *inside, const lockset *after) {
  for (uint32_t k = 0; k < inside->num_locks; k++) {
    lock_use u = {inside->locks[k].use};
    if (lock_at (&t->analysis->locks, use_lock (u))->family == IR_F_ONCE &&
        idset_has (&t->analysis->effects.sets, after->facts, u.i))
      return true;
  }
  return false;
}

bool relative_locks_equal (const relative_lock *x, const relative_lock *y) {
  return x->family == y->family && x->distance == y->distance && x->lock_base == y->lock_base && x->base == y->base &&
         x->offset == y->offset && x->lock_stride == y->lock_stride && x->stride == y->stride;
}

static bool relative_locks_exclude (const lockset *a, const lockset *b) {
  for (uint32_t i = 0; i < a->num_relative; i++)
    for (uint32_t k = 0; k < b->num_relative; k++) {
      const relative_lock *x = &a->relative[i], *y = &b->relative[k];
      if (relative_locks_equal (x, y) && !(x->reads && y->reads)) return true;
    }
  return false;
}

static bool find_compatible (const locksets *t, uint32_t x, uint32_t y, bool same_address) {
  lockset a, b;
  lockset_load (t, x, &a);
  lockset_load (t, y, &b);
  return !(held_locks_exclude (t, &a, &b) || facts_exclude (t, &a, &b) || facts_exclude (t, &b, &a) ||
           (same_address && relative_locks_exclude (&a, &b)));
}

bool locksets_compatible (locksets *t, uint32_t a, uint32_t b, bool same_address) {
  if (a > b) {
    uint32_t swap = a;
    a = b;
    b = swap;
  }
  uint64_t key = ((uint64_t) a << 32 | b) << 1 | same_address;
  const uint64_t *known = map_find (&t->compatible, key);
  if (known) return *known;
  bool answer = find_compatible (t, a, b, same_address);
  map_insert (&t->compatible, key, answer, NULL);
  return answer;
}

// ---- comparison ----------------------------------------------------------------------------------------------------
static bool has_lockset_lock (const locksets *t, const lockset *g, const lockset_lock *l) {
  for (uint32_t k = 0; k < g->num_locks; k++)
    if (g->locks[k].use == l->use && idset_within (&t->analysis->effects.sets, l->history, g->locks[k].history))
      return true;
  return false;
}

static bool has_relative_lock (const lockset *g, const relative_lock *b) {
  for (uint32_t k = 0; k < g->num_relative; k++)
    if (!memcmp (&g->relative[k], b, sizeof *b)) return true;
  return false;
}

bool lockset_subsumes (const locksets *t, const lockset *weaker, const lockset *stronger) {
  for (uint32_t k = 0; k < weaker->num_locks; k++)
    if (!has_lockset_lock (t, stronger, &weaker->locks[k])) return false;
  for (uint32_t k = 0; k < weaker->num_relative; k++)
    if (!has_relative_lock (stronger, &weaker->relative[k])) return false;
  const idsets *sets = &t->analysis->effects.sets;
  return idset_within (sets, weaker->facts, stronger->facts) &&
         idset_within (sets, weaker->acquired, stronger->acquired) &&
         idset_within (sets, weaker->since, stronger->since);
}
