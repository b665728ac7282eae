// The reference search: all interleavings of visible operations, all choices, every state once.  Each state is
// examined for races and deadlocks when it is expanded; what fails inside a step is noted by the step itself.
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "engine/explicit/reduce.h"

enum { CHECK_INTERVAL = 256, MOST_BUGS = 200, PATIENCE = 300000 };

static uint32_t *collect_successor (search *s, uint64_t hash, const uint32_t *ids, uint32_t count) {
  store_prefetch_slot (&s->store, hash);
  successor n = {hash, s->successor_ids.count, count};
  vec_reserve (&s->successor_ids, n.first + n.count);
  uint32_t *copy = s->successor_ids.data + n.first;
  memcpy (copy, ids, n.count * sizeof (uint32_t));
  s->successor_ids.count += n.count;
  vec_push (&s->successors, n);
  return copy;
}

// Only steps of one thread that made no choice and left the others alone are remembered.
static bool can_be_cached (const world *w, uint32_t running_before) {
  return !w->step.uncacheable && !w->step.choices.count && !w->step.violations.count && !w->step.starts.count && running_before > 1 &&
         w->running == running_before && w->dirty_threads.count == 1;
}

static void executed (search *s, state_id state, uint32_t slot, uint32_t running_before) {
  world *w = &s->world;
  bool cacheable = can_be_cached (w, running_before);
  world_commit (w);
  collect_successor (s, w->hash, w->current.data, w->current.count);
  if (!cacheable) return;
  uint32_t count;
  const uint32_t *ids = store_state (&s->store, state, &count);
  cache_add (s->cache, w, slot, ids, count);
}

// The same step was seen in a state that differs only where it does not look: replaces ids instead of executing.
// The world must be at the state; it stays there.
static bool take_cached_step (search *s, uint32_t slot) {
  world *w = &s->world;
  uint32_t writes;
  if (w->running < 2 || w->num_owned || w->threads[slot].atomic) return false;
  const uint32_t *pair =
      cache_find (s->cache, slot, w->threads[slot].position, w->current.data, w->current.count, &writes);
  if (!pair) return false;
  uint32_t *ids = collect_successor (s, 0, w->current.data, w->current.count);
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

static void add_successors (search *s, state_id state) {
  for (uint32_t k = 0; k < s->successors.count; k++) store_prefetch_state (&s->store, s->successors.data[k].hash);
  for (uint32_t k = 0; k < s->successors.count; k++) {
    successor n = s->successors.data[k];
    bool is_new;
    tuple_origin from = {.parent = state};
    state_id next = store_add_state (&s->store, s->successor_ids.data + n.first, n.count, n.hash, from, &is_new);
    if (is_new) vec_push (&s->frontier, next);
  }
  vec_clear (&s->successors);
  vec_clear (&s->successor_ids);
}

static void take_step (search *s, state_id state, uint32_t slot) {
  world *w = &s->world;
  uint32_t running = w->running;
  bool atomic = w->threads[slot].atomic;
  world_begin_step (w);
  w->step.uncacheable = atomic;
  step_result result = xs_exec_step (w, slot);
  s->transitions++;
  if (result == STEP_DONE) executed (s, state, slot, running);
  search_note_result (s, state, result);
}

// ---- budget, progress ----------------------------------------------------------------------------------
static void show_progress (search *s) {
  double now = budget_now ();
  if (!s->run->progress || now < s->next_progress) return;
  s->next_progress = now + 0.5;
  double elapsed = budget_elapsed (s->run->budget);
  char line[160], left[40] = "";
  if (s->run->budget->seconds) snprintf (left, sizeof left, ", %.0f s left", budget_left (s->run->budget));
  uint32_t states = store_num_states (&s->store), waiting = s->frontier.count - s->head;
  snprintf (line, sizeof line, "%u states, %u waiting, depth %llu, %llu bugs, %.0f states/s, %zu MB%s", states, waiting,
            (unsigned long long) s->depth, (unsigned long long) s->bugs, elapsed > 0 ? states / elapsed : 0,
            mem_live_bytes () >> 20, left);
  s->run->progress (s->run->progress_state, line);
}

void search_check_limits (search *s) {
  if (s->stopped) return;
  const char *spent = budget_spent (s->run->budget);
  if (spent) s->stopped = arena_strdup (s->run->verdict->arena, spent);
  else if (s->run->parted)
    s->stopped = arena_printf (s->run->verdict->arena, "internal error: a trace does not replay: %s", s->run->parted);
  else if (s->bugs >= MOST_BUGS) s->stopped = "stopped after 200 bugs";
  else if (s->bugs && !s->run->task->exhaustive && store_num_states (&s->store) > 4 * s->states_at_last_bug + PATIENCE)
    s->stopped = "no further bug for a long time (--exhaustive goes on)";
  show_progress (s);
}

// A state that leads nowhere new may be one where everybody waits busily.
void search_examine_spin (search *s, state_id state, const uint32_t *slots, uint32_t enabled) {
  if (s->spinning != IR_NONE || !(s->world.semantics->properties >> IR_P_DEADLOCK & 1)) return;
  search_reload (s, state);
  uint32_t slot = spin_endless (s, state, slots, enabled);
  search_reload (s, state);
  if (slot != IR_NONE) s->spinning = xs_exec_insn (&s->world, slot)->edge;
}

// ---- the loop ------------------------------------------------------------------------------------------
static void expand (search *s, state_id state) {
  world *w = &s->world;
  uint32_t slots[IR_MAX_THREADS];
  search_reload (s, state);
  search_examine (s, state);
  uint32_t enabled = xs_detect_enabled (w, slots);
  uint32_t known = store_num_states (&s->store);
  for (uint32_t k = 0; k < enabled && !s->stopped; k++) {
    vec_clear (&w->step.choices);
    search_reload (s, state);
    if (take_cached_step (s, slots[k])) {
      if (s->transitions % CHECK_INTERVAL == 0) search_check_limits (s);
      continue;
    }
    do {
      search_reload (s, state);
      take_step (s, state, slots[k]);
      if (s->transitions % CHECK_INTERVAL == 0 || s->run->parted) search_check_limits (s);
    } while (!s->stopped && world_next_choices (w));
  }
  add_successors (s, state);
  if (known == store_num_states (&s->store)) search_examine_spin (s, state, slots, enabled);
}

static bool takes_newest (const search *s) {
  if (s->order == MIXED) return store_num_states (&s->store) > MIXED_FROM && s->taken % 8 != 0;
  return s->order == DEPTH_FIRST;
}

// Levels are exact as long as only the oldest are taken.
static bool level_allowed (search *s) {
  if (s->head < s->level_end) return true;
  if (s->run->task->depth && s->depth == s->run->task->depth) {
    s->cut = true;
    verdict_add_bound (s->run->verdict, "depth %llu", (unsigned long long) s->depth);
    return false;
  }
  s->depth++;
  s->level_end = s->frontier.count;
  return true;
}

static bool next_state (search *s, state_id *state) {
  if (s->head >= s->frontier.count) return false;
  s->taken++;
  if (takes_newest (s)) *state = vec_pop (&s->frontier);
  else if (level_allowed (s)) *state = s->frontier.data[s->head++];
  else return false;
  return true;
}

// The world, committed, is at a successor of the state; it was reached by the logged big step.
void search_add_successor (search *s, state_id state) {
  world *w = &s->world;
  bool is_new;
  tuple_origin from = {state, s->reducer->log.data, s->reducer->log.count, w->step.came_round};
  state_id next = store_add_state (&s->store, w->current.data, w->current.count, w->hash, from, &is_new);
  if (is_new) vec_push (&s->frontier, next);
}

void search_reopen (search *s, state_id state) { vec_push (&s->frontier, state); }

static void add_initial (search *s) {
  const world *w = &s->world;
  bool is_new;
  tuple_origin nowhere = {.parent = IR_NONE};
  state_id first = store_add_state (&s->store, w->current.data, w->current.count, w->hash, nowhere, &is_new);
  vec_push (&s->frontier, first);
}

void search_run (search *s) {
  world *w = &s->world;
  state_id state;
  xs_thread_start (w, w->program->start.i, 0);
  world_commit (w);
  for (uint32_t k = 0; k < w->current.count; k++) vec_push (&s->initial, w->current.data[k]);
  if (s->reducer) reduce_begin (s);
  else add_initial (s);
  search_check_limits (s);
  while (!s->stopped && next_state (s, &state)) {
    if (s->reducer) reduce_expand (s, state);
    else expand (s, state);
  }
  search_check_limits (s);
}
