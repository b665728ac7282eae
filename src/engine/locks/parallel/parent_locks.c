// Goblint calls the two rules creation locksets and descendant locksets.  Here they follow from the states of the lock
// analysis.
#include "engine/locks/parallel/parallel.h"

// ---- what is held whenever a thread is created -------------------------------------------------------------------
typedef struct parent_states {
  lock_analysis *a;
  locksets *g;
  VEC (uint32_t) held;
  uint32_t acquired;
  bool any;
} parent_states;

static bool lockset_contains (const lockset *g, uint32_t use) {
  for (uint32_t k = 0; k < g->num_locks; k++)
    if (g->locks[k].use == use) return true;
  return false;
}

static uint32_t common (lock_analysis *a, uint32_t x, uint32_t y) {
  uint32_t count, result = x;
  const uint32_t *items = idset_items (&a->effects.sets, x, &count);
  for (uint32_t k = 0; k < count; k++)
    if (!idset_has (&a->effects.sets, y, items[k])) result = idset_remove (&a->effects.sets, result, items[k]);
  return result;
}

static void meet_state (void *user, uint32_t context, uint32_t node, effect *state) {
  parent_states *m = user;
  (void) context, (void) node;
  lockset g;
  lockset_load (m->g, lockset_of_state (m->g, state, (term_address){{VALUE_NONE}, 0}), &g);
  if (!m->any) {
    for (uint32_t k = 0; k < g.num_locks; k++) vec_push (&m->held, g.locks[k].use);
    m->acquired = g.acquired;
  } else {
    for (uint32_t k = 0; k < m->held.count; k++)
      if (!lockset_contains (&g, m->held.data[k])) m->held.data[k--] = vec_pop (&m->held);
    m->acquired = common (m->a, m->acquired, g.acquired);
  }
  m->any = true;
}

// ---- what is held until the thread has ended -----------------------------------------------------------------------
typedef struct parent_release {
  lock_analysis *a;
  locksets *g;
  uint32_t use;
  bool held;
} parent_release;

static void look_at_parent_state (void *user, uint32_t context, uint32_t node, effect *state) {
  parent_release *r = user;
  (void) context, (void) node;
  held_use *h = effect_find (state, (lock_use){r->use});
  r->held |= h != NULL;
}

// May the holder release the lock while a thread of the kind is alive?
static bool may_release_while_alive (parent_locks *c, locksets *g, uint32_t holder, uint32_t kind, uint32_t use) {
  lock_analysis *a = c->analysis;
  ir_loc life = ir_proc_at (a->program, threads_entry (a->threads, kind))->entry;
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    unsigned arg;
    if (!edge_releases (a, (ir_edge){e}, &arg) || !threads_runs (a->threads, holder, d->from) ||
        !threads_parallel (a->threads, holder, d->from, kind, life))
      continue;
    if (!lock_may_alias (&a->locks, use_lock (edge_lock (a, (ir_edge){e}, arg, false)), use_lock ((lock_use){use})))
      continue;
    parent_release r = {a, g, use, false};
    for_each_state (a, holder, d->from, look_at_parent_state, &r);
    if (r.held) return true;
  }
  return false;
}

// Operations that leave atomic regions and `once` name no lock.
static bool can_cover (const lock_analysis *a, uint32_t use) {
  ir_family family = (ir_family) lock_at (&a->locks, use_lock ((lock_use){use}))->family;
  return !use_reads ((lock_use){use}) && family != IR_F_REGION && family != IR_F_ONCE;
}

static void cover_kind (parent_locks *c, locksets *g, uint32_t kind) {
  lock_analysis *a = c->analysis;
  for (uint32_t child = kind, parent; (parent = threads_parent (a->threads, child)) != IR_NONE; child = parent) {
    parent_states m = {.a = a, .g = g};
    for_each_state (a, parent, ir_edge_at (a->program, threads_creator (a->threads, child))->from, meet_state, &m);
    if (child == kind) c->kinds[kind].acquired = m.acquired;
    for (uint32_t k = 0; k < m.held.count && !threads_many (a->threads, parent); k++)
      if (can_cover (a, m.held.data[k]) && !may_release_while_alive (c, g, parent, kind, m.held.data[k]))
        vec_push (&c->kinds[kind].covers, ((covering_lock){parent, m.held.data[k]}));
    vec_release (&m.held);
    if (!parent) break;
  }
}

void parent_locks_init (parent_locks *c, lock_analysis *a, locksets *g) {
  *c = (parent_locks){.analysis = a, .kinds = mem_zalloc (sizeof *c->kinds * (threads_count (a->threads) + 1))};
  for (uint32_t k = 1; k < threads_count (a->threads); k++) cover_kind (c, g, k);
}

void parent_locks_release (parent_locks *c) {
  for (uint32_t k = 0; k < threads_count (c->analysis->threads); k++) vec_release (&c->kinds[k].covers);
  mem_free (c->kinds, sizeof *c->kinds * (threads_count (c->analysis->threads) + 1));
}

// ---- exclusion ------------------------------------------------------------------------------------------------------
static bool has_cover (const parent_locks *c, uint32_t kind, uint32_t not_holder, uint32_t not_other, uint32_t use) {
  for (uint32_t k = 0; k < c->kinds[kind].covers.count; k++) {
    covering_lock v = c->kinds[kind].covers.data[k];
    if (v.holder != not_holder && v.holder != not_other && uses_exclude ((lock_use){v.use}, (lock_use){use}))
      return true;
  }
  return false;
}

// A creator of the first thread holds a lock that the other thread, or a creator of the other thread, holds as well.
static bool covered (const parent_locks *c, uint32_t kind, uint32_t other_kind, const lockset *other) {
  for (uint32_t k = 0; k < c->kinds[kind].covers.count; k++) {
    covering_lock v = c->kinds[kind].covers.data[k];
    if (v.holder == other_kind) continue;
    for (uint32_t i = 0; i < other->num_locks; i++)
      if (uses_exclude ((lock_use){v.use}, (lock_use){other->locks[i].use})) return true;
    if (has_cover (c, other_kind, v.holder, kind, v.use)) return true;
  }
  return false;
}

static bool holds_since (const parent_locks *c, const lockset *g, uint32_t create, uint32_t acquired) {
  const lock_analysis *a = c->analysis;
  uint32_t count;
  const uint32_t *items = idset_items (&a->effects.sets, g->since, &count);
  for (uint32_t k = 0; k < count; k++) {
    held_since p = effect_pair (&a->effects, items[k]);
    if (p.create == create && uses_of_set_exclude (&a->effects.sets, acquired, (lock_use){p.use})) return true;
  }
  return false;
}

// Some ancestor of the second thread, or that thread itself, acquired a lock that the first one has held since it
// created the next ancestor.
static bool waits_for_ancestor (const parent_locks *c, uint32_t ancestor, const lockset *g, uint32_t kind,
                                const lockset *other) {
  const lock_analysis *a = c->analysis;
  uint32_t acquired = other->acquired;
  for (uint32_t child = kind, parent; (parent = threads_parent (a->threads, child)) != IR_NONE; child = parent) {
    bool single = !threads_many (a->threads, child) && !threads_many (a->threads, parent);
    if (parent == ancestor && single && holds_since (c, g, threads_creator (a->threads, child).i, acquired))
      return true;
    acquired = idset_unite ((idsets *) &a->effects.sets, acquired, c->kinds[child].acquired);
    if (!parent) break;
  }
  return false;
}

bool parent_locks_exclude (const parent_locks *c, uint32_t kind, const lockset *mine, uint32_t other_kind,
                           const lockset *other) {
  return covered (c, kind, other_kind, other) || covered (c, other_kind, kind, mine) ||
         waits_for_ancestor (c, kind, mine, other_kind, other) || waits_for_ancestor (c, other_kind, other, kind, mine);
}
