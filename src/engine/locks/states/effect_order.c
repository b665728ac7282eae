// Which effects subsume others, and which can be joined.
#include "engine/locks/states/states_impl.h"

#include <string.h>

// ---- comparison ---------------------------------------------------------------------------------------------------
static bool same_tracked (const effect *a, const effect *b) {
  return a->num_tracked == b->num_tracked && a->overflowed == b->overflowed &&
         !memcmp (a->tracked, b->tracked, a->num_tracked * sizeof *a->tracked);
}

static uint32_t num_must (const effects *t, const effect *e) {
  uint32_t k = 0;
  while (k < e->num_held && !held_is_may (t, &e->held[k])) k++;
  return k;
}

static bool must_held_covers (const effects *t, const held_use *w, const held_use *s) {
  return !held_is_may (t, s) && w->use == s->use && w->count == s->count &&
         idset_within (&t->sets, w->history, s->history);
}

static bool may_hold_as_well (const effect *e, uint32_t num_certain, const held_use *h) {
  for (uint32_t k = num_certain; k < e->num_held; k++)
    if (e->held[k].use == h->use) return !e->held[k].must || h->must;
  return false;
}

// The weaker effect must-holds no more locks, and may-holds every lock that the stronger one may hold.
static bool covers_held (const effects *t, const effect *weaker, const effect *stronger) {
  uint32_t num_certain = num_must (t, weaker), matched = 0;
  for (uint32_t k = 0; k < stronger->num_held; k++) {
    const held_use *h = &stronger->held[k];
    if (matched < num_certain && must_held_covers (t, &weaker->held[matched], h)) matched++;
    else if (!may_hold_as_well (weaker, num_certain, h)) return false;
  }
  return matched == num_certain;
}

static uint32_t num_named (const effects *t, const effect *e) {
  uint32_t k = 0;
  while (k < e->num_released && !lock_is_unresolved (t->locks, use_lock ((lock_use){e->released[k]}))) k++;
  return k;
}

// Every lock that the stronger effect may release, the weaker one may release too.
static bool covers_released (const effects *t, const effect *weaker, const effect *stronger) {
  uint32_t named = num_named (t, weaker), k = named;
  if (named != num_named (t, stronger)) return false;
  if (memcmp (weaker->released, stronger->released, named * sizeof *weaker->released)) return false;
  for (uint32_t j = named; j < stronger->num_released; j++) {
    while (k < weaker->num_released && weaker->released[k] < stronger->released[j]) k++;
    if (k == weaker->num_released || weaker->released[k] != stronger->released[j]) return false;
  }
  return true;
}

// needs_free is kept exact for locks whose acquire may fail: an acquire that failed because the caller holds the lock
// may be followed by a release of the caller's lock, so an effect with the acquire does not subsume one without it, nor
// the reverse.
static bool covers_wanted (const effects *t, const effect *weaker, const effect *stronger) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, stronger->needs_free, &count);
  for (uint32_t k = 0; k < count; k++)
    if (!idset_has (&t->sets, weaker->needs_free, items[k]) && effect_relock_may_fail (t, (lock_use){items[k]}))
      return false;
  return idset_within (&t->sets, weaker->needs_free, stronger->needs_free);
}

bool effect_subsumes (const effects *t, const effect *weaker, const effect *stronger) {
  if (!same_tracked (weaker, stronger) || !covers_held (t, weaker, stronger) ||
      !covers_released (t, weaker, stronger) || !covers_wanted (t, weaker, stronger))
    return false;
  return idset_within (&t->sets, weaker->acquired, stronger->acquired) &&
         idset_within (&t->sets, weaker->facts, stronger->facts) &&
         idset_within (&t->sets, weaker->created, stronger->created) &&
         idset_within (&t->sets, weaker->since, stronger->since);
}

// ---- joining ------------------------------------------------------------------------------------------------------
static bool same_must_part (const effects *t, const effect *a, const effect *b) {
  uint32_t num_certain = num_must (t, a), named = num_named (t, a);
  return same_tracked (a, b) && num_certain == num_must (t, b) && named == num_named (t, b) &&
         a->acquired == b->acquired && a->needs_free == b->needs_free && a->facts == b->facts &&
         a->created == b->created && a->since == b->since &&
         !memcmp (a->held, b->held, num_certain * sizeof *a->held) &&
         !memcmp (a->released, b->released, named * sizeof *a->released);
}

void effect_join (const effects *t, effect *e, const effect *other) {
  if (!same_must_part (t, e, other)) return;
  for (uint32_t k = num_must (t, other); k < other->num_held; k++) {
    held_use *h = effect_find (e, (lock_use){other->held[k].use});
    if (h && h->use == other->held[k].use) held_merge_may (h, &other->held[k]);
    else effect_push_held (e, other->held[k]);
  }
  for (uint32_t k = num_named (t, other); k < other->num_released; k++)
    effect_note_released (e, (lock_use){other->released[k]});
  effect_canonicalise (t, e);
}
