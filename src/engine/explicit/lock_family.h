// Antichains of minimal lock sets (CIRC, "Encoding lock pattern based reductions": the sets of locks acquired along the paths to an access).
// A smaller set excludes less, so replacing a set by a subset is always sound.
#ifndef LOCKSTEP_EXPLICIT_LOCK_FAMILY_H
#define LOCKSTEP_EXPLICIT_LOCK_FAMILY_H

#include "engine/explicit/future.h"

static const lock_family NO_LOCKS = {1, {0}};

// Adds a set unless a subset is there; supersets go.  True if the family has changed.
static inline bool family_add (lock_family *f, lock_set set) {
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

static inline bool family_join (lock_family *f, const lock_family *other) {
  bool changed = false;
  for (uint32_t k = 0; k < other->count; k++) changed |= family_add (f, other->sets[k]);
  return changed;
}

// First one, then the other: each combination.
static inline lock_family family_then (const lock_family *a, const lock_family *b) {
  lock_family out = {0};
  for (uint32_t j = 0; j < a->count; j++)
    for (uint32_t k = 0; k < b->count; k++) family_add (&out, a->sets[j] | b->sets[k]);
  return out;
}

static inline lock_family family_take (const lock_family *a, lock_set more) {
  lock_family out = {0};
  for (uint32_t j = 0; j < a->count; j++) family_add (&out, a->sets[j] | more);
  return out;
}

// Is there a way on which nothing of this must be taken?
static inline bool family_avoids (const lock_family *f, lock_set held, lock_set own) {
  for (uint32_t k = 0; k < f->count; k++)
    if (!((f->sets[k] | own) & held)) return true;
  return false;
}

// ---- what is surely held -------------------------------------------------------------------------------
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

// Can two threads be at these places at once, as far as locks go?
static inline bool lock_states_exclude (const lock_state *a, const lock_state *b) {
  return (a->exclusive & b->any) || (a->any & b->exclusive);
}

#endif
