// The wait-for graph of waiting states: an edge leads from a state to each state that may hold the lock it waits for.
// A cycle is a possible deadlock if all its states may happen in parallel: pairwise different threads with compatible
// lock sets (LOCK section 6, theorem 5).  A gate lock is a common lock of two lock sets and needs no special case.
//
// We add to the paper's graph: waiting for the end of a thread, locks held by a thread that has ended, and unresolved
// locks. An unresolved lock may be the one that is waited for, but excludes no thread.
#include "base/limits.h"
#include "engine/locks/checks/checks_impl.h"

#include <string.h>

#include "base/diag.h"
#include "ir/sync.h"

// ---- states that wait -----------------------------------------------------------------------------------------
typedef struct state_collector {
  deadlocks *d;
  uint32_t kind;
  ir_edge edge;
  uint32_t wants;
  bool ended;
} state_collector;

// States that differ only in their contexts count once.
static bool is_new_state (deadlocks *d, const waiting_state *s) {
  uint32_t key[5 + LIMIT_LOCKS_HELD] = {s->kind, s->edge.i, s->wants, s->lockset, s->ended};
  if (s->num_held) memcpy (key + 5, d->held.data + s->first_held, sizeof *key * s->num_held);
  bool is_new;
  intern_add (&d->known, key, sizeof *key * (5 + s->num_held), &is_new);
  return is_new;
}

static void add_waiting_state (void *user, uint32_t context, uint32_t node, effect *state) {
  state_collector *c = user;
  deadlocks *d = c->d;
  if (c->ended && !state->num_held) return;
  waiting_state s = {.kind = c->kind, .context = context, .node = node, .edge = c->edge, .ended = c->ended};
  s.wants = c->wants == IR_NONE ? IR_NONE : context_lock (d->analysis, context, (lock_use){c->wants}).i;
  s.lockset = lockset_of_state (d->locksets, state, (term_address){{VALUE_NONE}, 0});
  s.first_held = d->held.count;
  s.num_held = state->num_held;
  for (uint32_t k = 0; k < state->num_held; k++) vec_push (&d->held, state->held[k].use);
  if (is_new_state (d, &s)) vec_push (&d->states, s);
  else d->held.count = s.first_held;
}

static bool is_blocking_acquire (ir_op op, unsigned *arg, bool *reads) {
  const ir_sync *s = ir_sync_of (op);
  *arg = s->names_mutex && s->blocks;
  *reads = s->shared;
  return *arg || (s->blocks && (ir_family_is_lock (s->family) || s->family == IR_F_ONCE));
}

static bool ends_thread (const lock_analysis *a, uint32_t kind, const ir_edge_data *d) {
  if (d->op == IR_THREAD_EXIT) return true;
  return d->op == IR_RETURN && ir_loc_at (a->program, d->from)->proc.i == threads_entry (a->threads, kind).i;
}

static void note_uncovered_wait (deadlocks *d, ir_edge e, ir_op op) {
  const char *what = ir_op_table[op].group == 'M' ? "locks that are written into" : NULL;
  uint8_t needs = ir_sync_of (op)->needs;
  if (needs)
    what = needs == IR_WAKES_SEM ? "semaphores" : needs == IR_WAKES_BARRIER ? "barriers" : "condition variables";
  if (!what || d->uncovered) return;
  d->uncovered = what;
  d->uncovered_at = e;
}

static void collect_edge (deadlocks *d, uint32_t kind, ir_edge e) {
  lock_analysis *a = d->analysis;
  const ir_edge_data *x = ir_edge_at (a->program, e);
  state_collector c = {.d = d, .kind = kind, .edge = e, .wants = IR_NONE};
  unsigned arg;
  bool reads;
  note_uncovered_wait (d, e, x->op);
  if (is_blocking_acquire (x->op, &arg, &reads)) c.wants = edge_lock (a, e, arg, reads).i;
  else if (ends_thread (a, kind, x)) c.ended = true;
  else if (x->op != IR_THREAD_JOIN) return;
  for_each_state (a, kind, x->from, add_waiting_state, &c);
}

static bool mentions_handle (const ir_program *p, ir_expr x, ir_reg r) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op == IR_X_REG) return n->reg.i == r.i;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (mentions_handle (p, n->arg[k], r)) return true;
  return false;
}

// The handle may reach another thread.  One that is only compared, as when a thread is joined, does not.
static bool is_told (const ir_program *p, ir_edge self) {
  const ir_proc_data *f = ir_proc_at (p, ir_loc_at (p, ir_edge_at (p, self)->from)->proc);
  for (uint32_t l = 0; l < f->locs.count; l++) {
    const ir_loc_data *at = ir_loc_at (p, f->locs.data[l]);
    for (uint32_t e = at->first_edge; e < at->first_edge + at->num_edges; e++)
      for (uint32_t k = 0; k < p->edges.data[e].num_args && p->edges.data[e].op != IR_ASSUME; k++)
        if (mentions_handle (p, ir_arg (p, (ir_edge){e}, k), ir_edge_at (p, self)->dst)) return true;
  }
  return false;
}

static void collect_waiting_states (deadlocks *d) {
  const lock_analysis *a = d->analysis;
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    const ir_edge_data *x = &a->program->edges.data[e];
    char group = ir_op_table[x->op].group;
    if (x->op == IR_THREAD_SELF && threads_runs (a->threads, 0, x->from))
      d->first_is_known |= is_told (a->program, (ir_edge){e});
    if (store_may_forge_lock (a, (ir_edge){e})) note_uncovered_wait (d, (ir_edge){e}, x->op);
    if (group != 'S' && group != 'T' && x->op != IR_RETURN) continue;
    for (uint32_t k = 0; k < threads_count (a->threads); k++)
      if (threads_runs (a->threads, k, x->from)) collect_edge (d, k, (ir_edge){e});
  }
}

// ---- the wait-for relation --------------------------------------------------------------------------------------
static bool may_hold (const deadlocks *d, const waiting_state *s, lock_use wanted) {
  for (uint32_t k = 0; k < s->num_held; k++) {
    lock_use u = {d->held.data[s->first_held + k]};
    if (!(use_reads (u) && use_reads (wanted)) && lock_may_alias (&d->analysis->locks, use_lock (u), use_lock (wanted)))
      return true;
  }
  return false;
}

// A thread that holds a recursive mutex can acquire it again, so it does not wait for itself.
static bool state_waits_for_itself (const deadlocks *d, const waiting_state *s) {
  lock_analysis *a = d->analysis;
  if (s->ended || s->wants == IR_NONE || !may_hold (d, s, (lock_use){s->wants})) return false;
  lock_use u = {s->wants};
  ir_family family = (ir_family) lock_at (&a->locks, use_lock (u))->family;
  bool threaded = a->stable.threaded[ir_edge_at (a->program, s->edge)->from.i];
  return family == IR_F_SPIN || family == IR_F_RWLOCK || family == IR_F_ONCE ||
         lock_may_be (&a->locks, use_lock (u), IR_MUTEX_NORMAL, threaded);
}

// No creation gives away the handle of the first thread; it has to ask for its own.
bool waiting_state_is_joinable (const deadlocks *d, const waiting_state *s) {
  return !s->ended && (s->kind || d->first_is_known);
}

static bool waits_for (const deadlocks *d, const waiting_state *s, const waiting_state *t) {
  if (s->ended) return false;
  if (s->wants == IR_NONE) return waiting_state_is_joinable (d, t);  // any thread may be the joined one
  return may_hold (d, t, (lock_use){s->wants});
}

static bool may_wait_in_parallel (const deadlocks *d, const waiting_state *s, const waiting_state *t) {
  const lock_analysis *a = d->analysis;
  if (!locksets_compatible (d->locksets, s->lockset, t->lockset, false)) return false;
  // A thread that has ended is in parallel with everything that follows, also with a later thread of its kind.
  if (s->ended || t->ended)
    return s->kind != t->kind || (s->kind && !unique_edge (a->unique, threads_creator (a->threads, s->kind)));
  return threads_parallel (a->threads, s->kind, ir_edge_at (a->program, s->edge)->from, t->kind,
                           ir_edge_at (a->program, t->edge)->from);
}

// ---- cycles -------------------------------------------------------------------------------------------------------
typedef struct cycle_search {
  deadlocks *d;
  const budget *budget;
  const uint32_t *component;
  possible_deadlock path;
  uint32_t tries;
} cycle_search;

static bool fits_into_cycle (const cycle_search *h, uint32_t next) {
  for (uint32_t k = 0; k < h->path.length; k++)
    if (!may_wait_in_parallel (h->d, &h->d->states.data[h->path.at[k]], &h->d->states.data[next])) return false;
  uint32_t all[LIMIT_LOCK_CYCLE_LENGTH];
  for (uint32_t k = 0; k < h->path.length; k++) all[k] = h->d->states.data[h->path.at[k]].lockset;
  all[h->path.length] = h->d->states.data[next].lockset;
  return h->path.length < 2 || locksets_all_compatible (h->d->locksets, all, h->path.length + 1);
}

static void extend (cycle_search *h) {
  deadlocks *d = h->d;
  uint32_t first = h->path.at[0], last = h->path.at[h->path.length - 1];
  const waiting_state *s = &d->states.data[last];
  if (over_limit (LOCK_CYCLE_TRIES, ++h->tries) || at_limit (LOCK_CYCLES, d->found.count) ||
      (h->tries % 1024 == 0 && budget_spent (h->budget))) {
    d->spent = true;
    return;
  }
  for (uint32_t k = first; k < d->states.count && !d->spent; k++) {
    const waiting_state *t = &d->states.data[k];
    if (h->component[k] != h->component[first] || t->ended || !waits_for (d, s, t)) continue;
    if (at_limit (LOCK_CYCLE_LENGTH, h->path.length)) {
      d->spent = true;
      return;
    }
    if (!fits_into_cycle (h, k)) continue;
    h->path.at[h->path.length++] = k;
    if (waits_for (d, t, &d->states.data[first])) vec_push (&d->found, h->path);
    else extend (h);
    h->path.length--;
  }
}

// A thread that ended with a lock never releases it.
static void find_abandoned (deadlocks *d, uint32_t ended) {
  const waiting_state *t = &d->states.data[ended];
  for (uint32_t k = 0; k < d->states.count && !at_limit (LOCK_CYCLES, d->found.count); k++) {
    const waiting_state *s = &d->states.data[k];
    if (s->wants != IR_NONE && waits_for (d, s, t) && may_wait_in_parallel (d, s, t))
      vec_push (&d->found, ((possible_deadlock){2, {k, ended}}));
  }
}

// Every cycle is found from the first of its states.
static void search_cycles (deadlocks *d, const budget *b) {
  size_t bytes = sizeof (uint32_t) * (d->states.count + 1);
  uint32_t *component = mem_zalloc (bytes);
  lock_order_find (d, component);
  for (uint32_t k = 0; k < d->states.count && !d->spent; k++) {
    cycle_search h = {.d = d, .budget = b, .component = component};
    h.path.at[0] = k;
    h.path.length = 1;
    if (state_waits_for_itself (d, &d->states.data[k])) vec_push (&d->found, h.path);
    if (d->states.data[k].ended) find_abandoned (d, k);
    if (component[k] != ORDER_ACYCLIC) extend (&h);
  }
  mem_free (component, bytes);
}

void deadlocks_init (deadlocks *d, lock_analysis *a, locksets *g, const budget *b) {
  *d = (deadlocks){.analysis = a, .locksets = g};
  collect_waiting_states (d);
  search_cycles (d, b);
}

void deadlocks_release (deadlocks *d) {
  vec_release (&d->states);
  intern_release (&d->known);
  vec_release (&d->held);
  vec_release (&d->found);
}
