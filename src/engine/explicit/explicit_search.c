// The reference search: all interleavings of visible operations, all choices, every state once. Each state is examined
// for races and deadlocks when it is expanded; violations inside a step are recorded by the step itself.
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/limits.h"
#include "engine/explicit/explicit_reduce.h"

enum { CHECK_INTERVAL = 256, PATIENCE = 300000 };

_Static_assert(LIMIT_EXPLICIT_BUGS == 200, "the reason below says so");

static uint32_t *collect_successor (state_search *s, uint64_t hash, const uint32_t *ids, uint32_t count) {
  store_prefetch_slot (&s->store, hash);
  successor n = {hash, s->successor_ids.count, count};
  vec_reserve (&s->successor_ids, n.first + n.count);
  uint32_t *copy = s->successor_ids.data + n.first;
  memcpy (copy, ids, n.count * sizeof (uint32_t));
  s->successor_ids.count += n.count;
  vec_push (&s->successors, n);
  return copy;
}

// Only steps that changed one thread and made no choice are cached.
static bool can_be_cached (const current_state *w, uint32_t running_before) {
  return !w->step.uncacheable && !w->step.choices.count && !w->step.violations.count && !w->step.starts.count &&
         running_before > 1 && w->running == running_before && w->dirty_threads.count == 1;
}

static void add_executed_successor (state_search *s, state_id state, uint32_t slot, uint32_t running_before) {
  current_state *w = &s->current;
  bool cacheable = can_be_cached (w, running_before);
  xs_state_commit (w);
  collect_successor (s, w->hash, w->ids.data, w->ids.count);
  if (!cacheable) return;
  uint32_t count;
  const uint32_t *ids = store_state (&s->store, state, &count);
  cache_add (s->cache, w, slot, ids, count);
}

// Takes a step from the cache: it was executed before in a state that differs only where the step does not read.
// Replaces ids instead of executing. The current state must be the given one and stays unchanged.
static bool take_cached_step (state_search *s, uint32_t slot) {
  current_state *w = &s->current;
  uint32_t writes;
  if (w->running < 2 || w->num_owned || w->threads[slot].atomic) return false;
  const uint32_t *pair = cache_find (s->cache, slot, w->threads[slot].position, w->ids.data, w->ids.count, &writes);
  if (!pair) return false;
  uint32_t *ids = collect_successor (s, 0, w->ids.data, w->ids.count);
  uint64_t hash = w->hash;
  for (uint32_t k = 0; k < writes; k++, pair += 2) {
    if (ids[pair[0]]) hash -= hash_pair (pair[0], ids[pair[0]]);
    if (pair[1]) hash += hash_pair (pair[0], pair[1]);
    ids[pair[0]] = pair[1];
  }
  vec_last (&s->successors).hash = hash;
  store_prefetch_slot (&s->store, hash);
  s->transitions++;
  s->cached++;
  return true;
}

static void add_successors (state_search *s, state_id state) {
  store_enter (&s->store);
  for (uint32_t k = 0; k < s->successors.count; k++) store_prefetch_state (&s->store, s->successors.data[k].hash);
  for (uint32_t k = 0; k < s->successors.count; k++) {
    successor n = s->successors.data[k];
    bool is_new;
    tuple_origin from = {.parent = state};
    state_id next = store_add_state (&s->store, s->successor_ids.data + n.first, n.count, n.hash, from, &is_new);
    if (is_new) frontier_push (s, next);
  }
  store_leave (&s->store);
  vec_clear (&s->successors);
  vec_clear (&s->successor_ids);
}

static void take_uncached_step (state_search *s, state_id state, uint32_t slot) {
  current_state *w = &s->current;
  uint32_t running = w->running;
  bool atomic = w->threads[slot].atomic;
  xs_step_begin (w);
  w->step.uncacheable = atomic;
  step_result result = xs_exec_step (w, slot);
  s->transitions++;
  if (result == STEP_DONE) add_executed_successor (s, state, slot, running);
  search_note_result (s, state, result);
}

// ---- budget, progress ---------------------------------------------------------------------------------
static void print_progress (state_search *s) {
  search_shared *h = s->shared;
  double elapsed = budget_elapsed (s->run->budget);
  char line[160], left[40] = "";
  if (s->run->budget->seconds) snprintf (left, sizeof left, ", %.0f s left", budget_left (s->run->budget));
  pthread_mutex_lock (&h->frontier.mutex);
  uint32_t states = store_num_states (&s->store), waiting = h->frontier.states.count - h->frontier.head;
  uint64_t depth = h->frontier.depth;
  pthread_mutex_unlock (&h->frontier.mutex);
  snprintf (line, sizeof line, "%u states, %u waiting, depth %llu, %u bugs, %.0f states/s, %zu MB%s", states, waiting,
            (unsigned long long) depth, h->bugs, elapsed > 0 ? states / elapsed : 0, mem_live_bytes () >> 20, left);
  pthread_mutex_lock (&h->reporting);
  s->run->progress (s->run->progress_state, line);
  pthread_mutex_unlock (&h->reporting);
}

// One of several workers shows the progress of all.
static void show_search_progress (state_search *s) {
  double now = budget_now (), due = s->shared->next_progress;
  if (!s->run->progress || now < due) return;
  if (atomic_compare_exchange_strong (&s->shared->next_progress, &due, now + 0.5)) print_progress (s);
}

void search_stop (state_search *s, const reason *why) {
  const reason *nothing = NULL;
  atomic_compare_exchange_strong (&s->shared->stopped, &nothing, why);
  s->stopped = s->shared->stopped;
}

static void stop_spent (state_search *s) {
  pthread_mutex_lock (&s->shared->reporting);
  const reason *why = reason_of_budget (s->run->verdict->arena, s->run->budget);
  pthread_mutex_unlock (&s->shared->reporting);
  if (why) search_stop (s, why);
}

static const reason many_bugs = {REASON_ENGINE, "stopped after 200 bugs", {0}},
                    no_more_bugs = {REASON_ENGINE, "no further bug for a long time (--exhaustive goes on)", {0}};

void search_check_limits (state_search *s) {
  search_shared *h = s->shared;
  s->stopped = h->stopped;
  if (s->stopped) return;
  if (budget_spent (s->run->budget)) stop_spent (s);
  else if (at_limit (EXPLICIT_BUGS, h->bugs)) search_stop (s, &many_bugs);
  else if (h->bugs && !s->run->task->exhaustive && store_num_states (&s->store) > 4 * h->states_at_last_bug + PATIENCE)
    search_stop (s, &no_more_bugs);
  show_search_progress (s);
}

// A state without new successors may be one where all threads wait busily.
void search_examine_busy_wait (state_search *s, state_id state, const uint32_t *slots, uint32_t enabled) {
  if (s->busy_waiting != IR_NONE || !(s->current.semantics->properties >> IR_P_DEADLOCK & 1)) return;
  search_reload (s, state);
  uint32_t slot = busy_wait_endless (s, state, slots, enabled);
  search_reload (s, state);
  if (slot != IR_NONE) s->busy_waiting = xs_exec_insn (&s->current, slot)->edge;
}

// ---- the loop -----------------------------------------------------------------------------------------
static void expand_all_threads (state_search *s, state_id state) {
  current_state *w = &s->current;
  uint32_t slots[IR_MAX_THREADS];
  search_reload (s, state);
  search_examine (s, state);
  uint32_t enabled = xs_detect_enabled (w, slots);
  uint32_t known = store_num_added (&s->store);
  for (uint32_t k = 0; k < enabled && !s->stopped; k++) {
    vec_clear (&w->step.choices);
    search_reload (s, state);
    if (take_cached_step (s, slots[k])) {
      if (s->transitions % CHECK_INTERVAL == 0) search_check_limits (s);
      continue;
    }
    do {
      search_reload (s, state);
      take_uncached_step (s, state, slots[k]);
      if (s->transitions % CHECK_INTERVAL == 0) search_check_limits (s);
    } while (!s->stopped && xs_step_next_choices (w));
  }
  add_successors (s, state);
  if (known == store_num_added (&s->store)) search_examine_busy_wait (s, state, slots, enabled);
}

// Returns the flag that requests full expansion. The states of a level are expanded as the previous levels requested,
// even if a worker reaches one of them again from the same level; so a request carries the parity of its level. (A
// state requested two levels ago has been expanded since.)
static uint32_t full_flag (uint64_t level) { return level == NO_LEVEL ? TUPLE_FLAGS : 1u << (30 + (level & 1)); }

bool search_expands_fully (const state_search *s, state_id state) {
  return store_flags (&s->store, state) & (s->level == NO_LEVEL ? TUPLE_FLAGS : full_flag (s->level - 1));
}

static void add_ids (state_search *s, const uint32_t *ids, uint32_t count, uint64_t hash, tuple_origin from) {
  bool is_new;
  store_enter (&s->store);
  state_id next = store_add_state (&s->store, ids, count, hash, from, &is_new);
  store_leave (&s->store);
  if (is_new) frontier_push (s, next);
}

static void add_search_state (state_search *s, tuple_origin from) {
  add_ids (s, s->current.ids.data, s->current.ids.count, s->current.hash, from);
}

// Adds the current state, which must be committed, as a successor of the state; it was reached by the logged big step.
void search_add_successor (state_search *s, state_id state) {
  uint64_t level = state == IR_NONE ? 0 : s->level;
  uint32_t flags = s->current.step.took_sticky_jump ? full_flag (level) : 0;
  add_search_state (s, (tuple_origin){state, s->reducer->log.data, s->reducer->log.count, flags});
}

// Adds the root of a big step that has branched.
void search_add_root (state_search *s, state_id state) {
  const branching *b = &s->reducer->branching;
  add_ids (s, b->ids.data, b->ids.count, b->hash, (tuple_origin){state, b->log.data, b->log.count, 0});
}

void search_reopen (state_search *s, state_id state) { frontier_push (s, state); }

void search_begin (state_search *s) {
  current_state *w = &s->current;
  xs_thread_start (w, w->program->start.i, 0);
  xs_state_commit (w);
  for (uint32_t k = 0; k < w->ids.count; k++) vec_push (&s->shared->initial, w->ids.data[k]);
  if (s->reducer) reduce_begin (s);
  else add_search_state (s, (tuple_origin){.parent = IR_NONE});
}

void search_work (state_search *s) {
  state_id state;
  search_check_limits (s);
  while (!s->stopped && frontier_next (s, &state)) {
    search_learn_claims (s);
    if (s->reducer) reduce_expand (s, state);
    else expand_all_threads (s, state);
  }
  search_check_limits (s);
}
