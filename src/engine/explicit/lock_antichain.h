// Antichains of minimal lock sets (CIRC, "Encoding lock pattern based reductions": the sets of locks acquired along the
// paths to an access). A smaller set excludes less, so replacing a set by a subset is always sound.
#ifndef LOCKSTEP_EXPLICIT_LOCK_FAMILY_H
#define LOCKSTEP_EXPLICIT_LOCK_FAMILY_H

#include "engine/explicit/future.h"

static const lock_antichain NO_LOCKS = {1, {0}};

// Adds a set unless the antichain has a subset of it; removes its supersets. Returns whether the antichain has changed.
static inline bool antichain_add (lock_antichain *f, lock_set set) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < f->count; k++)
    if (!(f->sets[k] & ~set)) return false;
  for (uint32_t k = 0; k < f->count; k++)
    if (set & ~f->sets[k]) f->sets[kept++] = f->sets[k];
  f->count = kept;
  if (kept == NUM_SETS) {
    for (uint32_t k = 0; k < kept; k++) set &= f->sets[k];
    f->count = 0;
  }
  f->sets[f->count++] = set;
  return true;
}

static inline bool antichain_join (lock_antichain *f, const lock_antichain *other) {
  bool changed = false;
  for (uint32_t k = 0; k < other->count; k++) changed |= antichain_add (f, other->sets[k]);
  return changed;
}

// Concatenates paths: the union of each set of `a` with each set of `b`.
static inline lock_antichain antichain_then (const lock_antichain *a, const lock_antichain *b) {
  lock_antichain out = {0};
  for (uint32_t j = 0; j < a->count; j++)
    for (uint32_t k = 0; k < b->count; k++) antichain_add (&out, a->sets[j] | b->sets[k]);
  return out;
}

static inline lock_antichain antichain_acquire (const lock_antichain *a, lock_set more) {
  lock_antichain out = {0};
  for (uint32_t j = 0; j < a->count; j++) antichain_add (&out, a->sets[j] | more);
  return out;
}

// Returns whether some path acquires none of the locks `held`.
static inline bool antichain_avoids (const lock_antichain *f, lock_set held, lock_set own) {
  for (uint32_t k = 0; k < f->count; k++)
    if (!((f->sets[k] | own) & held)) return true;
  return false;
}

// ---- must-held locks ----------------------------------------------------------------------------------
static inline bool lock_state_join (lock_state *a, const lock_state *b) {
  lock_state old = *a;
  a->exclusive &= b->exclusive;
  a->any &= b->any;
  a->released |= b->released;
  a->atomic &= b->atomic;
  return old.exclusive != a->exclusive || old.any != a->any || old.released != a->released || old.atomic != a->atomic;
}

static inline lock_state lock_state_then (const lock_state *first, const lock_state *later) {
  return (lock_state){.exclusive = later->exclusive | (first->exclusive & ~later->released),
                      .any = later->any | (first->any & ~later->released),
                      .released = first->released | later->released,
                      .atomic = first->atomic || later->atomic};
}

// Returns whether locks prevent two threads from being at these locations at once.
static inline bool lock_states_exclude (const lock_state *a, const lock_state *b) {
  return (a->exclusive & b->any) || (a->any & b->exclusive);
}

#endif
