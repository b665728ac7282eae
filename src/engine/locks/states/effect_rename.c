// Effects after a register was assigned, and effects with other names for their locks.
#include "base/limits.h"
#include "engine/locks/states/states_impl.h"

// ---- registers that are assigned --------------------------------------------------------------------------------
static bool loses (const effects *t, uint32_t use, ir_proc f, uint32_t reg) {
  const lock_node *n = lock_at (t->locks, use_lock ((lock_use){use}));
  return n->edge != IR_NONE && value_uses (t->locks->values, (value_term){n->base}, f, reg);
}

static uint32_t uses_without_register (effects *t, uint32_t set, ir_proc f, uint32_t reg) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  uint32_t rest = set;
  for (uint32_t k = 0; k < count; k++)
    if (loses (t, items[k], f, reg)) rest = idset_remove (&t->sets, rest, items[k]);
  return rest;
}

static uint32_t since_without (effects *t, uint32_t set, ir_proc f, uint32_t reg) {
  uint32_t count, rest = set;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  for (uint32_t k = 0; k < count; k++)
    if (loses (t, effect_pair (t, items[k]).use, f, reg)) rest = idset_remove (&t->sets, rest, items[k]);
  return rest;
}

static uint32_t forgotten (effects *t, uint32_t use) {
  lock_use u = {use};
  return use_without_term (t->locks, u).i;
}

// If the acquire of a lock may have failed because a caller holds it, the path may have released the caller's lock.
// When the name of such a lock is lost, that release is noted without a name.
static void note_unnamed_release (effects *t, effect *e, uint32_t use) {
  if (effect_relock_may_fail (t, (lock_use){use})) effect_note_released (e, (lock_use){forgotten (t, use)});
}

static uint32_t wanted_without (effects *t, effect *e, ir_proc f, uint32_t reg) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, e->needs_free, &count);
  for (uint32_t k = 0; k < count; k++)
    if (loses (t, items[k], f, reg)) note_unnamed_release (t, e, items[k]);
  return uses_without_register (t, e->needs_free, f, reg);
}

void effect_kill_register (effects *t, effect *e, ir_proc f, uint32_t reg) {
  for (uint32_t k = 0; k < e->num_held; k++) {
    e->held[k].history = uses_without_register (t, e->held[k].history, f, reg);
    if (loses (t, e->held[k].use, f, reg)) e->held[k].use = forgotten (t, e->held[k].use);
  }
  for (uint32_t k = 0; k < e->num_released; k++)
    if (loses (t, e->released[k], f, reg)) e->released[k] = forgotten (t, e->released[k]);
  e->acquired = uses_without_register (t, e->acquired, f, reg);
  e->needs_free = wanted_without (t, e, f, reg);
  e->since = since_without (t, e->since, f, reg);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < e->num_tracked; k++)
    if (!value_uses (t->locks->values, (value_term){e->tracked[k].value}, f, reg)) e->tracked[kept++] = e->tracked[k];
  e->num_tracked = kept;
  effect_canonicalise (t, e);
}

void effect_drop_histories (effects *t, effect *e) {
  uint32_t count, kept = IDSET_EMPTY;
  const uint32_t *wanted = idset_items (&t->sets, e->needs_free, &count);
  for (uint32_t k = 0; k < count; k++)
    if (effect_relock_may_fail (t, (lock_use){wanted[k]})) kept = idset_add (&t->sets, kept, wanted[k]);
  for (uint32_t k = 0; k < e->num_held; k++) e->held[k].history = IDSET_EMPTY;
  e->acquired = IDSET_EMPTY;
  e->needs_free = kept;
}

// ---- renaming ----------------------------------------------------------------------------------------------------
static bool keeps_name (const effects *t, uint32_t use, uint32_t set_size) {
  uint32_t lock = use_lock ((lock_use){use});
  if (lock_is_fixed (t->locks, lock)) return !lock_is_unresolved (t->locks, lock) || set_size > LIMIT_LOCK_NAMES;
  return !lock_is_unresolved (t->locks, lock) && !over_limit (LOCK_NAMES, set_size);
}

static uint32_t rename_set (effects *t, uint32_t set, lock_renamer *name, void *state) {
  uint32_t count, result = IDSET_EMPTY;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t use = name (state, items[k]);
    if (keeps_name (t, use, count)) result = idset_add (&t->sets, result, use);
  }
  return result;
}

static uint32_t rename_wanted (effects *t, effect *e, lock_renamer *name, void *state) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, e->needs_free, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t use = name (state, items[k]);
    if (!keeps_name (t, use, count)) note_unnamed_release (t, e, use);
  }
  return rename_set (t, e->needs_free, name, state);
}

// The name of a may-held lock is of use only in the procedure that acquired it; kept across calls, recursion would
// produce ever new names.
static uint32_t rename_held (effects *t, const held_use *h, lock_renamer *name, void *state) {
  uint32_t use = name (state, h->use);
  return h->must ? use : forgotten (t, use);
}

static uint32_t rename_since (effects *t, uint32_t set, lock_renamer *name, void *state) {
  uint32_t count, result = IDSET_EMPTY;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    held_since p = effect_pair (t, items[k]);
    p.use = name (state, p.use);
    if (!lock_is_unresolved (t->locks, use_lock ((lock_use){p.use})))
      result = idset_add (&t->sets, result, effect_pair_item (t, p));
  }
  return result;
}

void effect_rename (effects *t, effect *e, lock_renamer *name, void *state) {
  for (uint32_t k = 0; k < e->num_held; k++) {
    e->held[k].use = rename_held (t, &e->held[k], name, state);
    e->held[k].history = rename_set (t, e->held[k].history, name, state);
  }
  for (uint32_t k = 0; k < e->num_released; k++) e->released[k] = name (state, e->released[k]);
  e->acquired = rename_set (t, e->acquired, name, state);
  e->needs_free = rename_wanted (t, e, name, state);
  e->facts = rename_set (t, e->facts, name, state);
  e->since = rename_since (t, e->since, name, state);
  effect_canonicalise (t, e);
}
