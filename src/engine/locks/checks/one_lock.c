// Breadth first, so that the path to a node is a shortest one, and two paths share their beginning as far as possible.
#include "base/limits.h"
#include "engine/locks/checks/checks_impl.h"

#include "base/hash.h"

void lock_paths_init (lock_paths *w, lock_analysis *a, uint32_t lock, bool assume_release) {
  *w = (lock_paths){.analysis = a, .lock = lock, .assume_release = assume_release};
}

void lock_paths_release (lock_paths *w) {
  vec_release (&w->nodes);
  map_release (&w->seen);
  map_release (&w->endless);
}

// ---- the lock in an effect ---------------------------------------------------------------------------------------
// The entry of the lock.  It has lost its term if a register of the term was assigned after the acquire.
static held_use *find_lock (const lock_paths *w, effect *e) {
  held_use *h = effect_find (e, use_of (w->lock, false));
  return h ? h : effect_find (e, use_of (lock_without_term (&w->analysis->locks, w->lock), false));
}

static bool holds_the_lock (const lock_paths *w, uint32_t number) {
  effect e;
  effect_load (&w->analysis->effects, number, &e);
  return find_lock (w, &e);
}

static bool must_hold_the_lock (const lock_paths *w, uint32_t number) {
  effect e;
  effect_load (&w->analysis->effects, number, &e);
  const held_use *h = find_lock (w, &e);
  return h && h->must && !e.overflowed;
}

// Drops all locks but this one and those that may alias it: a release may mean either.
static void drop_other_locks (const lock_paths *w, effect *e) {
  const lock_table *locks = &w->analysis->locks;
  uint32_t held = 0, released = 0;
  for (uint32_t k = 0; k < e->num_held; k++) {
    if (!lock_may_alias (locks, w->lock, use_lock ((lock_use){e->held[k].use}))) continue;
    e->held[held] = e->held[k];
    e->held[held++].history = IDSET_EMPTY;
  }
  for (uint32_t k = 0; k < e->num_released; k++)
    if (lock_may_alias (locks, w->lock, use_lock ((lock_use){e->released[k]})))
      e->released[released++] = e->released[k];
  e->num_held = held;
  e->num_released = released;
  e->acquired = e->needs_free = e->facts = e->created = e->since = IDSET_EMPTY;
}

lock_fate lock_paths_fate (const lock_paths *w, uint32_t node) {
  effect e;
  effect_load (&w->analysis->effects, w->nodes.data[node].effect, &e);
  if (e.overflowed || e.num_released) return FATE_UNKNOWN;
  if (!e.num_held) return FATE_FREE;
  const held_use *h = effect_find (&e, use_of (w->lock, false));
  return h && h->must ? FATE_HELD : FATE_UNKNOWN;
}

bool lock_paths_keeps (const lock_paths *w, uint32_t node) {
  return must_hold_the_lock (w, w->nodes.data[node].effect) && !w->nodes.data[node].released;
}

bool lock_paths_stops_before (const lock_paths *w, uint32_t node, ir_op op, ir_edge *edge) {
  const ir_program *p = w->analysis->program;
  const ir_loc_data *l = ir_loc_at (p, w->nodes.data[node].at);
  *edge = (ir_edge){l->first_edge};
  return l->num_edges && p->edges.data[l->first_edge].op == op;
}

// ---- steps -------------------------------------------------------------------------------------------------------
static void add_path_node (lock_paths *w, lock_path_node n) {
  bool is_new;
  map_insert (&w->seen, hash_pair ((uint64_t) n.at.i << 32 | n.effect, n.released), 1, &is_new);
  if (!is_new) return;
  if (at_limit (LEAK_NODES, w->nodes.count)) w->too_long = true;
  else vec_push (&w->nodes, n);
}

static uint32_t kept_effect (const lock_paths *w, ir_loc at, effect *e) {
  drop_dead_values (w->analysis, at, e);
  drop_other_locks (w, e);
  return effect_intern (&w->analysis->effects, e);
}

static void arrive_at_node (lock_paths *w, uint32_t from, ir_edge edge, uint32_t number) {
  const lock_path_node before = w->nodes.data[from];
  bool gives = holds_the_lock (w, before.effect) && !holds_the_lock (w, number);
  add_path_node (w, (lock_path_node){.at = ir_edge_at (w->analysis->program, edge)->to,
                                     .effect = number,
                                     .released = before.released || gives,
                                     .from = from,
                                     .edge = edge.i});
}

typedef struct path_call {
  lock_paths *paths;
  uint32_t node;
  ir_edge call;
  VEC (uint32_t) after;  // effects
} path_call;

static uint32_t callee_outcome (const path_call *c, effect *e) {
  return kept_effect (c->paths, ir_edge_at (c->paths->analysis->program, c->call)->to, e);
}

static bool callee_acquires_lock (const path_call *c, ir_proc f, uint32_t exported) {
  lock_analysis *a = c->paths->analysis;
  effect e;
  effect_load (&a->effects, summary_substitute (a, c->call, f, exported), &e);
  return idset_has (&a->effects.sets, e.needs_free, use_of (c->paths->lock, false).i) ||
         idset_has (&a->effects.sets, e.needs_free, use_of (c->paths->lock, true).i);
}

// The kind of the mutex may be unknown.  Most are normal, so a thread that acquires one twice is taken to block.
static bool ends_blocked (const lock_paths *w, uint32_t node, uint32_t after, bool takes) {
  return takes && must_hold_the_lock (w, w->nodes.data[node].effect) && !must_hold_the_lock (w, after);
}

static void follow_endless (lock_paths *w, ir_proc f);

static void follow_endless_callee (void *state, ir_proc f) {
  lock_paths *w = state;
  const lock_summary *s = &w->analysis->summaries[f.i];
  if (!s->neutral && !s->exports.count) follow_endless (w, f);
}

static bool callee_may_release (const lock_paths *w, uint32_t number) {
  effect e;
  effect_load (&w->analysis->effects, number, &e);
  bool may = e.overflowed;
  for (uint32_t k = 0; k < e.num_released; k++)
    may |= lock_may_alias (&w->analysis->locks, w->lock, use_lock ((lock_use){e.released[k]}));
  return may;
}

// The callee does not return.  Looks for releases of the lock on the paths from its entry.
static void follow_endless (lock_paths *w, ir_proc f) {
  lock_analysis *a = w->analysis;
  const ir_proc_data *d = ir_proc_at (a->program, f);
  bool is_new;
  map_insert (&w->endless, f.i, 1, &is_new);
  for (uint32_t l = 0; l < d->locs.count && is_new; l++) {
    const ir_loc_data *loc = ir_loc_at (a->program, d->locs.data[l]);
    for (uint32_t k = 0; k < a->at[d->locs.data[l].i].count; k++)
      w->may_release_unseen |= callee_may_release (w, a->nodes.data[a->at[d->locs.data[l].i].data[k]].effect);
    if (loc->num_edges && a->program->edges.data[loc->first_edge].op == IR_CALL)
      for_each_callee (a, (ir_edge){loc->first_edge}, follow_endless_callee, w);
  }
}

static void apply_callee_exits (void *state, ir_proc f) {
  path_call *c = state;
  lock_analysis *a = c->paths->analysis;
  const lock_summary *s = &a->summaries[f.i];
  follow_endless_callee (c->paths, f);
  for (uint32_t k = 0; k < s->exports.count; k++) {
    effect e;
    effect_load (&a->effects, c->paths->nodes.data[c->node].effect, &e);
    bool follows = summary_apply (a, c->call, f, s->exports.data[k], &e);
    uint32_t after = follows ? callee_outcome (c, &e) : 0;
    if (!follows || ends_blocked (c->paths, c->node, after, callee_acquires_lock (c, f, s->exports.data[k])))
      c->paths->blocks_itself = true;
    else vec_push (&c->after, after);
  }
}

static bool can_give (const path_call *c) {
  bool gives = false;
  for (uint32_t k = 0; k < c->after.count; k++) gives |= !holds_the_lock (c->paths, c->after.data[k]);
  return gives && holds_the_lock (c->paths, c->paths->nodes.data[c->node].effect);
}

static void pass_whole_call (lock_paths *w, uint32_t node, ir_edge call) {
  path_call c = {.paths = w, .node = node, .call = call};
  effect e;
  for_each_callee (w->analysis, call, apply_callee_exits, &c);
  effect_load (&w->analysis->effects, w->nodes.data[node].effect, &e);
  if (summary_may_skip (w->analysis, call, &e)) vec_push (&c.after, callee_outcome (&c, &e));
  bool only_giving = w->assume_release && can_give (&c);
  for (uint32_t k = 0; k < c.after.count; k++)
    if (!only_giving || !holds_the_lock (w, c.after.data[k])) arrive_at_node (w, node, call, c.after.data[k]);
  vec_release (&c.after);
}

static void pass_plain_edge (lock_paths *w, uint32_t node, ir_edge edge) {
  lock_analysis *a = w->analysis;
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  effect before, after[EDGE_OUTCOMES];
  if (d->to.i == IR_NONE) return;
  effect_load (&a->effects, w->nodes.data[node].effect, &before);
  unsigned arg;
  bool takes = edge_touches_locks (a, edge) && !edge_releases (a, edge, &arg);
  uint32_t count = edge_effects (a, edge, &before, after);
  if (!count && takes) w->blocks_itself = true;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t number = kept_effect (w, d->to, &after[k]);
    if (ends_blocked (w, node, number, takes)) w->blocks_itself = true;
    else arrive_at_node (w, node, edge, number);
  }
}

void lock_paths_begin (lock_paths *w, ir_loc at, effect *e) {
  add_path_node (w, (lock_path_node){.at = at, .effect = kept_effect (w, at, e), .from = IR_NONE, .edge = IR_NONE});
}

void lock_paths_explore (lock_paths *w) {
  const ir_program *p = w->analysis->program;
  for (uint32_t k = 0; k < w->nodes.count && !budget_spent (w->analysis->budget); k++) {
    const ir_loc_data *l = ir_loc_at (p, w->nodes.data[k].at);
    for (uint32_t i = l->first_edge; i < l->first_edge + l->num_edges; i++)
      if (p->edges.data[i].op == IR_CALL) pass_whole_call (w, k, (ir_edge){i});
      else pass_plain_edge (w, k, (ir_edge){i});
  }
}
