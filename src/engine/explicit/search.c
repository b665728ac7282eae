// The reference search: all interleavings of visible operations, all choices, every state once.  Each state is
// examined for races and deadlocks when it is expanded; what fails inside a step is noted by the step itself.
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "engine/explicit/search.h"

enum { CHECK_INTERVAL = 256, MOST_BUGS = 200, PATIENCE = 300000 };

// ---- claims --------------------------------------------------------------------------------------------
static bool is_reported (search *s, uint64_t key) {
  bool is_new;
  map_insert (&s->reported, key, 0, &is_new);
  return !is_new;
}

static void report (search *s, claim *c) {
  if (s->stopped) schedule_release (&c->schedule);
  if (s->stopped || !engine_report (s->run, c)) return;
  s->bugs++;
  if (s->run->task->stop_at_first) s->stopped = "stopped at the first bug";
  s->states_at_last_bug = store_num_states (&s->store);
}

static bool selected (const search *s, ir_property p) { return s->run->task->semantics.properties >> p & 1; }

static void claim_at (search *s, claim *c, state_id state) {
  path_to (s, state, &c->schedule);
  report (s, c);
}

static void claim_race (search *s, state_id state, race_pair p) {
  uint32_t a = xs_exec_insn (&s->world, p.thread[0])->edge, b = xs_exec_insn (&s->world, p.thread[1])->edge;
  uint64_t key = (uint64_t) (a < b ? a : b) << 32 | (a < b ? b : a);
  if (is_reported (s, hash_pair (IR_P_RACE, key))) return;
  claim c = {.property = IR_P_RACE, .num_threads = 2, .thread = {p.thread[0], p.thread[1]}, .edge = {{a}, {b}}};
  claim_at (s, &c, state);
}

static void claim_deadlock (search *s, state_id state, const uint32_t *slots, uint32_t count) {
  claim c = {.property = IR_P_DEADLOCK, .num_threads = count};
  uint64_t key = IR_P_DEADLOCK;
  for (uint32_t k = 0; k < count; k++) {
    c.thread[k] = slots[k];
    c.edge[k].i = xs_exec_insn (&s->world, slots[k])->edge;
    key = hash_pair (key, c.edge[k].i);
  }
  if (!is_reported (s, key)) claim_at (s, &c, state);
}

// Relocking a normal mutex is misuse as soon as the thread stands before it: it will never execute.
static bool relocks (const world *w, uint32_t slot) {
  const insn *i = xs_exec_insn (w, slot);
  if (i->op != BC_SYNC || (i->ir != IR_MUTEX_LOCK && i->ir != IR_SPIN_LOCK) || xs_sync_can_step (w, slot, i))
    return false;
  lock_kind kind = i->ir == IR_MUTEX_LOCK ? HELD_MUTEX : HELD_SPIN;
  return xs_thread_held (w, slot, xs_exec_value (w, slot, i->a), kind) != NULL;
}

static void claim_single (search *s, state_id state, ir_property property, uint32_t slot, uint32_t edge) {
  if (is_reported (s, hash_pair (property, (uint64_t) edge << 32 | IR_NONE))) return;
  claim c = {.property = property, .num_threads = 1, .thread = {slot}, .edge = {{edge}}};
  claim_at (s, &c, state);
}

// ---- looking at a state --------------------------------------------------------------------------------
static void reload (search *s, state_id state) {
  uint32_t count;
  const uint32_t *ids = store_state (&s->store, state, &count);
  world_load (&s->world, ids, count);
}

static void examine_races (search *s, state_id state) {
  race_pair pairs[64];
  uint32_t count = xs_detect_races (&s->world, pairs, 64);
  for (uint32_t k = 0; k < count; k++) {
    claim_race (s, state, pairs[k]);
    reload (s, state);
  }
}

static void examine_blocked (search *s, state_id state) {
  world *w = &s->world;
  uint32_t slots[IR_MAX_THREADS];
  for (uint32_t t = 0; t < w->num_slots && selected (s, IR_P_LOCKS); t++)
    if (w->threads[t].status == T_RUNNING && relocks (w, t)) {
      claim_single (s, state, IR_P_LOCKS, t, xs_exec_insn (w, t)->edge);
      reload (s, state);
    }
  uint32_t stuck = selected (s, IR_P_DEADLOCK) ? xs_detect_stuck (w, slots) : 0;
  if (!stuck) return;
  claim_deadlock (s, state, slots, stuck);
  reload (s, state);
}

// ---- steps ---------------------------------------------------------------------------------------------
static void note_unsupported (search *s) {
  const ir_edge_data *d = &s->world.program->edges.data[s->world.stop_edge];
  if (s->unsupported) return;
  s->unsupported = arena_printf (s->run->verdict->arena, "unsupported: %s at %s:%u",
                                 s->world.stop_message ? s->world.stop_message : "construct",
                                 d->pos.file ? d->pos.file : "?", d->pos.line);
}

// Behind undefined behaviour that is not being checked anything may happen: nothing can be proved.
static void note_undefined (search *s, uint32_t edge, ir_property property, const char *what) {
  if (edge == IR_NONE || s->unsupported || selected (s, property)) return;
  const ir_edge_data *d = &s->world.program->edges.data[edge];
  s->unsupported = arena_printf (s->run->verdict->arena, "%s at %s:%u (--property=%s shows it)", what,
                                 d->pos.file ? d->pos.file : "?", d->pos.line, ir_property_name[property]);
}

static void note_cut (search *s) {
  s->cut = true;
  verdict_add_bound (s->run->verdict, "%s", s->world.stop_message);
}

static claim claim_of (const world *w, const violation *v) {
  (void) w;
  claim c = {.property = v->property, .num_threads = v->other == IR_NONE ? 1 : 2, .thread = {v->thread, v->other}};
  c.edge[0].i = v->edge;
  c.edge[1].i = v->other_edge;
  return c;
}

// The step so far, up to where the violation was noted, follows the path to the state it started from.
static void claim_violation (search *s, state_id state, const violation *v, const schedule *step) {
  uint64_t key = v->other == IR_NONE || v->edge < v->other_edge ? (uint64_t) v->edge << 32 | v->other_edge
                                                                : (uint64_t) v->other_edge << 32 | v->edge;
  if (is_reported (s, hash_pair (v->property, key))) return;
  claim c = claim_of (&s->world, v);
  path_to (s, state, &c.schedule);
  for (uint32_t k = 0; k < v->num_parts; k++)
    schedule_add (&c.schedule, step->parts.data[k].thread, step->parts.data[k].edges);
  schedule_add (&c.schedule, v->thread, v->edges_before);
  for (uint32_t k = 0; k < v->num_chosen; k++) vec_push (&c.schedule.choices, step->choices.data[k]);
  report (s, &c);
}

static void claim_violations (search *s, state_id state) {
  world *w = &s->world;
  VEC (violation) noted = {0};
  schedule step = {0};
  for (uint32_t k = 0; k < w->violations.count; k++) vec_push (&noted, w->violations.data[k]);
  for (uint32_t k = 0; k < w->parts.count; k++) vec_push (&step.parts, w->parts.data[k]);
  for (uint32_t k = 0; k < w->chosen.count; k++) vec_push (&step.choices, w->chosen.data[k]);
  VEC (choice_point) choices = {0};
  for (uint32_t k = 0; k < w->choices.count; k++) vec_push (&choices, w->choices.data[k]);
  for (uint32_t k = 0; k < noted.count; k++) claim_violation (s, state, &noted.data[k], &step);
  vec_clear (&w->choices);  // path_to used the odometer
  for (uint32_t k = 0; k < choices.count; k++) vec_push (&w->choices, choices.data[k]);
  vec_release (&choices);
  vec_release (&noted);
  schedule_release (&step);
}

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
  return !w->uncacheable && !w->choices.count && !w->violations.count && !w->starts.count && running_before > 1 &&
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
  if (w->running < 2 || w->threads[slot].atomic) return false;
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
    state_id next = store_add_state (&s->store, s->successor_ids.data + n.first, n.count, n.hash, state, &is_new);
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
  w->uncacheable = atomic;
  step_result result = xs_exec_step (w, slot);
  s->transitions++;
  switch (result) {
  case STEP_DONE: executed (s, state, slot, running); break;
  case STEP_CUT: note_cut (s); break;
  case STEP_UNSUPPORTED: note_unsupported (s); break;
  case STEP_EXITED:
  case STEP_VIOLATION:
  case STEP_INFEASIBLE: break;
  }
  note_undefined (s, w->ignored_error, IR_P_MEMORY, "executions end at a memory error");
  note_undefined (s, w->misused, IR_P_LOCKS, "use of an uninitialised or destroyed lock");
  if (w->violations.count) claim_violations (s, state);
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

static void check_limits (search *s) {
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
static void examine_spin (search *s, state_id state, const uint32_t *slots, uint32_t enabled) {
  if (s->spinning != IR_NONE || !selected (s, IR_P_DEADLOCK)) return;
  reload (s, state);
  uint32_t slot = spin_endless (s, state, slots, enabled);
  reload (s, state);
  if (slot != IR_NONE) s->spinning = xs_exec_insn (&s->world, slot)->edge;
}

// ---- the loop ------------------------------------------------------------------------------------------
static void expand (search *s, state_id state) {
  world *w = &s->world;
  uint32_t slots[IR_MAX_THREADS];
  reload (s, state);
  if (selected (s, IR_P_RACE) && w->running > 1) examine_races (s, state);
  uint32_t enabled = xs_detect_enabled (w, slots);
  if (enabled < w->running) {
    examine_blocked (s, state);
    enabled = xs_detect_enabled (w, slots);
  }
  uint32_t known = store_num_states (&s->store);
  for (uint32_t k = 0; k < enabled && !s->stopped; k++) {
    vec_clear (&w->choices);
    reload (s, state);
    if (take_cached_step (s, slots[k])) {
      if (s->transitions % CHECK_INTERVAL == 0) check_limits (s);
      continue;
    }
    do {
      reload (s, state);
      take_step (s, state, slots[k]);
      if (s->transitions % CHECK_INTERVAL == 0 || s->run->parted) check_limits (s);
    } while (!s->stopped && world_next_choices (w));
  }
  add_successors (s, state);
  if (known == store_num_states (&s->store)) examine_spin (s, state, slots, enabled);
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

void search_run (search *s) {
  world *w = &s->world;
  xs_thread_start (w, w->program->start.i, 0);
  world_commit (w);
  bool is_new;
  state_id state = store_add_state (&s->store, w->current.data, w->current.count, w->hash, IR_NONE, &is_new);
  vec_push (&s->frontier, state);
  check_limits (s);
  while (!s->stopped && next_state (s, &state)) expand (s, state);
  check_limits (s);
}
