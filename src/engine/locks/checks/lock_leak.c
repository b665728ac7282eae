// Follows the lock to the callers, as long as they return with it too.  Who gives it back, on whatever path, knows that it was left held: then
// there is an agreement between the two, told by the result, by an argument, or by something that is not seen here.  If the process
// ends on all paths, nobody misses it.
#include "engine/locks/checks/checks_impl.h"

#include "base/hash.h"

enum {
  MOST_WALKS = 400,
  FARTHEST = 4 /* frames out: agreements are made between neighbours, and further out call graphs become vague */
};

typedef struct leak_search {
  ir_proc proc;
  uint32_t exported;  // effect: the lock alone
  uint32_t distance;  // frames that were left before
} leak_search;

typedef struct aftermath {
  lock_analysis *a;
  VEC (leak_search) waiting;
  map seen;   // procedure << 32 | exported -> 1
  map begun;  // hash of a walk's beginning -> 1
  uint32_t num_walks;
  bool given_back;  // or perhaps
  bool kept;        // where a thread ends, main returns, somebody waits for it in vain, or for ever
} aftermath;

static bool is_thread_entry (const lock_analysis *a, ir_proc f) {
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (threads_entry (a->threads, k).i == f.i) return true;
  return false;
}

static void leave_to_callers (aftermath *m, const lock_paths *w, uint32_t node, ir_edge ret, uint32_t distance) {
  lock_analysis *a = m->a;
  effect e;
  effect_load (&a->effects, w->nodes.data[node].effect, &e);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < e.num_held; k++) {
    uint32_t lock = use_lock ((lock_use){e.held[k].use});
    if (!kept && (lock == w->lock || lock == lock_without_term (&a->locks, w->lock))) e.held[kept++] = e.held[k];
  }
  e.num_held = kept;
  e.num_released = 0;
  leak_search l = {ir_loc_at (a->program, w->nodes.data[node].at)->proc, summary_export (a, ret, &e), distance};
  bool is_new;
  map_insert (&m->seen, (uint64_t) l.proc.i << 32 | l.exported, 1, &is_new);
  if (is_new) vec_push (&m->waiting, l);
}

static void end_walk (aftermath *m, const lock_paths *w, uint32_t node, uint32_t distance) {
  ir_edge e;
  if (lock_paths_stops_before (w, node, IR_THREAD_EXIT, &e)) m->kept = true;
  if (!lock_paths_stops_before (w, node, IR_RETURN, &e)) return;
  bool is_last =
      distance == FARTHEST || is_thread_entry (m->a, ir_loc_at (m->a->program, w->nodes.data[node].at)->proc);
  if (is_last) m->kept = true;
  else leave_to_callers (m, w, node, e, distance);
}

static bool is_endless (const lock_paths *w) {
  ir_edge e;
  for (uint32_t k = 0; k < w->nodes.count; k++)
    if (lock_paths_stops_before (w, k, IR_RETURN, &e) || lock_paths_stops_before (w, k, IR_EXIT, &e)) return false;
  return true;
}

static void explore_behind_call (aftermath *m, lock_paths *w, uint32_t distance) {
  lock_paths_explore (w);
  m->given_back |= w->too_long || w->may_release_unseen || ++m->num_walks > MOST_WALKS;
  m->kept |= w->blocks_itself || w->endless.entries.count || is_endless (w);
  for (uint32_t k = 0; k < w->nodes.count && !m->given_back; k++)
    if (lock_paths_keeps (w, k)) end_walk (m, w, k, distance);
    else m->given_back = true;
}

// From here with the lock, unless that was looked at already.
static void explore_from (aftermath *m, ir_loc at, uint32_t lock, effect *e, uint32_t distance) {
  lock_paths w;
  bool is_new;
  lock_paths_init (&w, m->a, lock, false);
  lock_paths_begin (&w, at, e);
  map_insert (&m->begun, hash_pair ((uint64_t) at.i << 32 | w.nodes.data[0].effect, lock), 1, &is_new);
  if (is_new) explore_behind_call (m, &w, distance);
  lock_paths_release (&w);
}

static void return_behind_call (aftermath *m, leak_search l, uint32_t caller) {
  lock_analysis *a = m->a;
  const summary_node *n = &a->nodes.data[caller];
  ir_edge call = {ir_loc_at (a->program, n->at)->first_edge};
  effect before, left;
  if (ir_loc_at (a->program, n->at)->proc.i == a->program->start.i) {
    m->kept = true;
    return;
  }
  effect_load (&a->effects, summary_substitute (a, call, l.proc, l.exported), &left);
  effect_load (&a->effects, n->effect, &before);
  if (!left.num_held || !summary_apply (a, call, l.proc, l.exported, &before)) return;
  explore_from (m, ir_edge_at (a->program, call)->to, use_lock ((lock_use){left.held[0].use}), &before, l.distance + 1);
}

static void return_to_all (aftermath *m, leak_search l) {
  const lock_summary *s = &m->a->summaries[l.proc.i];
  for (uint32_t k = 0; k < s->waiting.count && !m->given_back; k++)
    if (!m->a->nodes.data[s->waiting.data[k]].covered) return_behind_call (m, l, s->waiting.data[k]);
}

bool lock_is_leaked (const lock_paths *w, uint32_t node) {
  aftermath m = {.a = w->analysis};
  end_walk (&m, w, node, 0);
  for (uint32_t k = 0; k < m.waiting.count && !m.given_back; k++) return_to_all (&m, m.waiting.data[k]);
  vec_release (&m.waiting);
  map_release (&m.seen);
  map_release (&m.begun);
  return m.kept && !m.given_back;
}
