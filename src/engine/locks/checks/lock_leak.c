// Follows the lock to the callers for as long as they return with it too.  A caller that releases the lock, on any of
// its paths, knows that the procedure may leave it held: result, argument or something unseen tells it.  If the process
// ends on all paths, the lock is not leaked either.
#include "base/limits.h"
#include "engine/locks/checks/checks_impl.h"

#include "base/hash.h"

// Frames towards main: further out, call graphs become too imprecise.
enum { LAST_FRAME = 4 };

typedef struct leak_search {
  ir_proc proc;
  uint32_t exported;  // effect that holds just the lock
  uint32_t distance;  // how many frames the path has left before
} leak_search;

typedef struct leak_check {
  lock_analysis *a;
  VEC (leak_search) waiting;
  map seen;   // procedure << 32 | exported -> 1
  map begun;  // hash of a location with a state, where a search began -> 1
  uint32_t num_searches;
  bool may_be_released;  // by some caller
  bool stays_held;       // until a thread ends, main returns, or a thread blocks for ever
} leak_check;

static bool is_thread_entry (const lock_analysis *a, ir_proc f) {
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (threads_entry (a->threads, k).i == f.i) return true;
  return false;
}

static void leave_to_callers (leak_check *m, const lock_paths *w, uint32_t node, ir_edge ret, uint32_t distance) {
  lock_analysis *a = m->a;
  effect e;
  effect_load (&a->effects, w->nodes.data[node].effect, &e);
  uint32_t num_held = 0;
  for (uint32_t k = 0; k < e.num_held; k++) {
    uint32_t lock = use_lock ((lock_use){e.held[k].use});
    if (!num_held && (lock == w->lock || lock == lock_without_term (&a->locks, w->lock)))
      e.held[num_held++] = e.held[k];
  }
  e.num_held = num_held;
  e.num_released = 0;
  leak_search l = {ir_loc_at (a->program, w->nodes.data[node].at)->proc, summary_export (a, ret, &e), distance};
  bool is_new;
  map_insert (&m->seen, (uint64_t) l.proc.i << 32 | l.exported, 1, &is_new);
  if (is_new) vec_push (&m->waiting, l);
}

static void end_path (leak_check *m, const lock_paths *w, uint32_t node, uint32_t distance) {
  ir_edge e;
  if (lock_paths_stops_before (w, node, IR_THREAD_EXIT, &e)) m->stays_held = true;
  if (!lock_paths_stops_before (w, node, IR_RETURN, &e)) return;
  bool is_last =
      distance == LAST_FRAME || is_thread_entry (m->a, ir_loc_at (m->a->program, w->nodes.data[node].at)->proc);
  if (is_last) m->stays_held = true;
  else leave_to_callers (m, w, node, e, distance);
}

static bool is_endless (const lock_paths *w) {
  ir_edge e;
  for (uint32_t k = 0; k < w->nodes.count; k++)
    if (lock_paths_stops_before (w, k, IR_RETURN, &e) || lock_paths_stops_before (w, k, IR_EXIT, &e)) return false;
  return true;
}

static void explore_behind_call (leak_check *m, lock_paths *w, uint32_t distance) {
  lock_paths_explore (w);
  m->may_be_released |= w->too_long || w->may_release_unseen || over_limit (LEAK_WALKS, ++m->num_searches);
  m->stays_held |= w->blocks_itself || w->endless.entries.count || is_endless (w);
  for (uint32_t k = 0; k < w->nodes.count && !m->may_be_released; k++)
    if (lock_paths_keeps (w, k)) end_path (m, w, k, distance);
    else m->may_be_released = true;
}

// Follows the paths from here on, with the lock held, unless that was done before.
static void explore_from (leak_check *m, ir_loc at, uint32_t lock, effect *e, uint32_t distance) {
  lock_paths w;
  bool is_new;
  lock_paths_init (&w, m->a, lock, false);
  lock_paths_begin (&w, at, e);
  map_insert (&m->begun, hash_pair ((uint64_t) at.i << 32 | w.nodes.data[0].effect, lock), 1, &is_new);
  if (is_new) explore_behind_call (m, &w, distance);
  lock_paths_release (&w);
}

static void return_behind_call (leak_check *m, leak_search l, uint32_t caller) {
  lock_analysis *a = m->a;
  const summary_node *n = &a->nodes.data[caller];
  ir_edge call = {ir_loc_at (a->program, n->at)->first_edge};
  effect before, left;
  if (ir_loc_at (a->program, n->at)->proc.i == a->program->start.i) {
    m->stays_held = true;
    return;
  }
  effect_load (&a->effects, summary_substitute (a, call, l.proc, l.exported), &left);
  effect_load (&a->effects, n->effect, &before);
  if (!left.num_held || !summary_apply (a, call, l.proc, l.exported, &before)) return;
  explore_from (m, ir_edge_at (a->program, call)->to, use_lock ((lock_use){left.held[0].use}), &before, l.distance + 1);
}

static void return_to_all (leak_check *m, leak_search l) {
  const lock_summary *s = &m->a->summaries[l.proc.i];
  for (uint32_t k = 0; k < s->waiting.count && !m->may_be_released; k++)
    if (!m->a->nodes.data[s->waiting.data[k]].covered) return_behind_call (m, l, s->waiting.data[k]);
}

bool lock_is_leaked (const lock_paths *w, uint32_t node) {
  leak_check m = {.a = w->analysis};
  end_path (&m, w, node, 0);
  for (uint32_t k = 0; k < m.waiting.count && !m.may_be_released; k++) return_to_all (&m, m.waiting.data[k]);
  vec_release (&m.waiting);
  map_release (&m.seen);
  map_release (&m.begun);
  return m.stays_held && !m.may_be_released;
}
