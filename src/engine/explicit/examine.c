// Examines a state, or a step from it, for violations. Each kind of violation is claimed once per location: its
// schedule is put together and handed to the judge, which replays it.
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "engine/explicit/explicit_search.h"
#include "ir/reason.h"

// ---- claims -------------------------------------------------------------------------------------------
// A violation that was only shown with invented values may have another execution without them: try this many
// executions.
enum { CONFIRMED = UINT32_MAX };  // in place of their number

static bool may_come_again (const state_search *s, uint64_t key) {
  search_shared *h = s->shared;
  if (!h->num_conditional) return false;
  pthread_mutex_lock (&h->reporting);
  const uint64_t *tries = map_find (&h->conditional, key);
  bool again = tries && *tries != CONFIRMED && !at_limit (EXPLICIT_CONDITIONAL, *tries);
  pthread_mutex_unlock (&h->reporting);
  return again;
}

static bool is_reported (state_search *s, uint64_t key) {
  search_shared *h = s->shared;
  bool is_new;
  s->claiming = key;
  if (map_find (&s->claimed, key)) return !may_come_again (s, key);
  pthread_mutex_lock (&h->reporting);
  uint64_t level = *map_insert (&h->reported, key, s->level, &is_new);
  h->num_reported = h->reported.entries.count;
  pthread_mutex_unlock (&h->reporting);
  map_insert (&s->claimed, key, level, NULL);
  return !is_new;
}

void search_learn_claims (state_search *s) {
  search_shared *h = s->shared;
  if (s->claims_seen == h->num_reported) return;
  pthread_mutex_lock (&h->reporting);
  for (; s->claims_seen < h->reported.entries.count; s->claims_seen++) {
    const map_entry *e = &h->reported.entries.data[s->claims_seen];
    map_insert (&s->claimed, e->key, e->value, NULL);
  }
  pthread_mutex_unlock (&h->reporting);
}

static bool known_before (const state_search *s, uint64_t key) {
  const uint64_t *level = map_find (&s->claimed, key);
  return level && (s->level == NO_LEVEL || *level < s->level) && !may_come_again (s, key);
}

static void count_tries (state_search *s, bool conditional) {
  search_shared *h = s->shared;
  if (!conditional && !h->num_conditional) return;
  uint64_t *tries = map_insert (&h->conditional, s->claiming, 0, NULL);
  *tries = conditional ? *tries + 1 : CONFIRMED;
  h->num_conditional = h->conditional.entries.count;
}

// Returns whether the same execution was claimed before. Executions are remembered only while there are conditional
// violations, whose locations are tried again.
static bool was_claimed_before (state_search *s, const claim *c) {
  const schedule *x = &c->schedule;
  uint64_t hash = hash_bytes (x->parts.data, x->parts.count * sizeof *x->parts.data, s->claiming);
  bool is_new = true;
  hash = hash_bytes (x->choices.data, x->choices.count * sizeof *x->choices.data, hash);
  if (s->shared->num_conditional) map_insert (&s->shared->tried, hash, 0, &is_new);
  return !is_new;
}

static void report_locked (state_search *s, claim *c) {
  search_shared *h = s->shared;
  if (was_claimed_before (s, c)) {
    schedule_release (&c->schedule);
    return;
  }
  uint32_t conditional = s->run->conditional;
  const char *before = s->run->parted;
  s->run->parted = NULL;
  bool is_new = engine_report (s->run, c);
  count_tries (s, s->run->conditional > conditional);
  if (s->run->parted && at_limit (EXPLICIT_NOT_REPLAYED, ++h->not_replayed))
    search_stop (s, reason_internal (s->run->verdict->arena, "many traces do not replay"));
  if (!s->run->parted) s->run->parted = before;
  if (is_new) {
    h->bugs++;
    h->states_at_last_bug = store_num_states (&s->store);
    if (s->run->task->stop_at_first) search_stop (s, &stopped_at_first_bug);
  }
}

static void report_claim (state_search *s, claim *c) {
  pthread_mutex_lock (&s->shared->reporting);
  if (s->shared->stopped) schedule_release (&c->schedule);
  else report_locked (s, c);
  pthread_mutex_unlock (&s->shared->reporting);
}

// With state IR_NONE the claim belongs to the end of the step being executed, which began in the initial state.
static void claim_at (state_search *s, claim *c, state_id state) {
  if (state != IR_NONE) path_to (s, state, &c->schedule);
  else path_append_step (&s->current, &c->schedule);
  report_claim (s, c);
}

static uint64_t race_key (uint32_t a, uint32_t b) {
  return hash_pair (IR_P_RACE, (uint64_t) (a < b ? a : b) << 32 | (a < b ? b : a));
}

bool search_check_known (const state_search *s, ir_property p, uint32_t edge) {
  return known_before (s, hash_pair (p, (uint64_t) edge << 32 | IR_NONE));
}

bool search_race_known (const state_search *s, uint32_t a, uint32_t b) { return known_before (s, race_key (a, b)); }
bool search_race_claimed (const state_search *s, uint32_t a, uint32_t b) {
  return map_find (&s->claimed, race_key (a, b));
}

static void claim_state_race (state_search *s, state_id state, access_pair p) {
  uint32_t a = xs_exec_insn (&s->current, p.thread[0])->edge, b = xs_exec_insn (&s->current, p.thread[1])->edge;
  if (is_reported (s, race_key (a, b))) return;
  claim c = {.property = IR_P_RACE, .num_threads = 2, .thread = {p.thread[0], p.thread[1]}, .edge = {{a}, {b}}};
  claim_at (s, &c, state);
}

// The key of a deadlock is its set of edges: it does not matter which thread is at which edge, nor how many are at one.
static uint64_t deadlock_key (const claim *c) {
  uint64_t key = IR_P_DEADLOCK;
  uint32_t last = 0;
  for (uint32_t seen = 0; seen < c->num_threads;) {
    uint32_t next = IR_NONE;
    for (uint32_t k = 0; k < c->num_threads; k++)
      if ((!seen || c->edge[k].i > last) && c->edge[k].i < next) next = c->edge[k].i;
    for (uint32_t k = 0; k < c->num_threads; k++) seen += c->edge[k].i == next;
    key = hash_pair (key, next);
    last = next;
  }
  return key;
}

// Fills a claim with threads of one deadlock that block each other. Other blocked threads are not claimed: which ones
// there are changes with the interleaving, and each combination would be replayed.
static bool claim_core (state_search *s, const uint32_t *slots, uint32_t count, claim *c) {
  uint32_t core[IR_MAX_THREADS];
  *c = (claim){.property = IR_P_DEADLOCK, .num_threads = xs_detect_core (&s->current, slots, count, core)};
  for (uint32_t k = 0; k < c->num_threads; k++) {
    c->thread[k] = core[k];
    c->edge[k].i = xs_exec_insn (&s->current, core[k])->edge;
  }
  return c->num_threads;
}

static uint32_t remove_core (const claim *c, uint32_t *slots, uint32_t count) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < count; k++) {
    bool in_core = false;
    for (uint32_t i = 0; i < c->num_threads; i++) in_core |= c->thread[i] == slots[k];
    if (!in_core) slots[left++] = slots[k];
  }
  return left;
}

void search_claim_deadlock (state_search *s, state_id state, const uint32_t *slots, uint32_t count) {
  uint32_t left[IR_MAX_THREADS];
  memcpy (left, slots, count * sizeof *slots);
  for (claim c; count && claim_core (s, left, count, &c); count = remove_core (&c, left, count)) {
    if (is_reported (s, deadlock_key (&c))) continue;
    claim_at (s, &c, state);
    if (state != IR_NONE) search_reload (s, state);
  }
}

// Relocking a normal mutex is misuse as soon as it is the thread's next operation, because the operation will never be
// executed.
static bool relocks (const current_state *w, uint32_t slot) {
  const insn *i = xs_exec_insn (w, slot);
  return i->op == BC_SYNC && xs_sync_relocks (w, slot, i);
}

static void claim_single (state_search *s, state_id state, ir_property property, uint32_t slot, uint32_t edge) {
  if (is_reported (s, hash_pair (property, (uint64_t) edge << 32 | IR_NONE))) return;
  claim c = {.property = property, .num_threads = 1, .thread = {slot}, .edge = {{edge}}};
  claim_at (s, &c, state);
}

// ---- examining a state --------------------------------------------------------------------------------
void search_reload (state_search *s, state_id state) {
  uint32_t count = s->shared->initial.count;
  const uint32_t *ids = state == IR_NONE ? s->shared->initial.data : store_state (&s->store, state, &count);
  xs_state_load (&s->current, ids, count);
}

static void examine_races (state_search *s, state_id state) {
  access_pair pairs[IR_MAX_THREADS * (IR_MAX_THREADS - 1) / 2];
  uint32_t count = xs_detect_races (&s->current, pairs, sizeof pairs / sizeof *pairs);
  for (uint32_t k = 0; k < count; k++) {
    claim_state_race (s, state, pairs[k]);
    search_reload (s, state);
  }
}

static void examine_blocked (state_search *s, state_id state) {
  current_state *w = &s->current;
  uint32_t slots[IR_MAX_THREADS];
  for (uint32_t t = 0; t < w->num_slots && search_checks (s, IR_P_LOCKS); t++)
    if (w->threads[t].status == T_RUNNING && relocks (w, t)) {
      claim_single (s, state, IR_P_LOCKS, t, xs_exec_insn (w, t)->edge);
      search_reload (s, state);
    }
  uint32_t stuck = search_checks (s, IR_P_DEADLOCK) ? xs_detect_deadlock (w, slots) : 0;
  if (!stuck) return;
  search_claim_deadlock (s, state, slots, stuck);
}

static claim claim_of (const current_state *w, const violation *v) {
  (void) w;
  claim c = {.property = v->property, .num_threads = v->other == IR_NONE ? 1 : 2, .thread = {v->thread, v->other}};
  c.edge[0].i = v->edge;
  c.edge[1].i = v->other_edge;
  return c;
}

// The schedule of the claim: the path to the state, then the step up to the point where the violation was recorded.
static void claim_step_violation (state_search *s, state_id state, const violation *v, const schedule *step) {
  uint64_t key = v->other == IR_NONE || v->edge < v->other_edge ? (uint64_t) v->edge << 32 | v->other_edge
                                                                : (uint64_t) v->other_edge << 32 | v->edge;
  if (is_reported (s, hash_pair (v->property, key))) return;
  claim c = claim_of (&s->current, v);
  path_to (s, state, &c.schedule);
  for (uint32_t k = 0; k < v->num_parts; k++)
    schedule_add (&c.schedule, step->parts.data[k].thread, step->parts.data[k].edges);
  schedule_add (&c.schedule, v->thread, v->edges_before);
  for (uint32_t k = 0; k < v->num_chosen; k++) vec_push (&c.schedule.choices, step->choices.data[k]);
  report_claim (s, &c);
}

void search_claim_violations (state_search *s, state_id state) {
  current_state *w = &s->current;
  VEC (violation) noted = {0};
  schedule step = {0};
  for (uint32_t k = 0; k < w->step.violations.count; k++) vec_push (&noted, w->step.violations.data[k]);
  for (uint32_t k = 0; k < w->step.parts.count; k++) vec_push (&step.parts, w->step.parts.data[k]);
  for (uint32_t k = 0; k < w->step.chosen.count; k++) vec_push (&step.choices, w->step.chosen.data[k]);
  VEC (choice_point) choices = {0};
  for (uint32_t k = 0; k < w->step.choices.count; k++) vec_push (&choices, w->step.choices.data[k]);
  for (uint32_t k = 0; k < noted.count; k++) claim_step_violation (s, state, &noted.data[k], &step);
  vec_clear (&w->step.choices);  // path_to has overwritten the choices
  for (uint32_t k = 0; k < choices.count; k++) vec_push (&w->step.choices, choices.data[k]);
  vec_release (&choices);
  vec_release (&noted);
  schedule_release (&step);
}

void search_examine (state_search *s, state_id state) {
  uint32_t slots[IR_MAX_THREADS];
  if (search_checks (s, IR_P_RACE) && s->current.running > 1) examine_races (s, state);
  if (xs_detect_enabled (&s->current, slots) < s->current.running) examine_blocked (s, state);
}

// ---- what a step records ------------------------------------------------------------------------------
// If a thread's next edge is this one and lies in a library model: returns the edge of the user's program that calls
// the model.
static ir_edge user_call_edge (const current_state *w, uint32_t edge) {
  for (uint32_t t = 0; t < w->num_slots; t++) {
    const state_thread *x = &w->threads[t];
    uint32_t k = x->status == T_RUNNING ? x->frames.count : 0;
    if (!k || w->code->insns.data[x->frames.data[k - 1].pc].edge != edge) continue;
    while (k > 1 && w->program->procs.data[x->frames.data[k - 1].proc].internal) k--;
    return (ir_edge){w->code->insns.data[x->frames.data[k - 1].pc].edge};
  }
  return (ir_edge){edge};
}

// Executions end at this edge although the program may continue: nothing can be proved.
static void record_incompleteness (state_search *s, uint32_t edge, const char *what) {
  if (s->unsupported) return;
  pthread_mutex_lock (&s->shared->reporting);
  s->unsupported = reason_of_edge (s->run->verdict->arena, s->current.program, user_call_edge (&s->current, edge),
                                   (ir_edge){edge}, what);
  pthread_mutex_unlock (&s->shared->reporting);
}

static void record_unsupported (state_search *s) {
  const step_record *step = &s->current.step;
  record_incompleteness (s, step->stop_edge, step->stop_message ? step->stop_message : "a construct");
}

// After undefined behaviour that is not being checked the program may do anything.
static void record_undefined (state_search *s) {
  const current_state *w = &s->current;
  if (w->ignored_error != IR_NONE)
    record_incompleteness (s, w->ignored_error, ir_end_of_undefined (w->ignored_property));
  if (w->misused != IR_NONE && !search_checks (s, IR_P_LOCKS))
    record_incompleteness (s, w->misused, "use of an uninitialised or destroyed lock (--property=locks shows it)");
}

// The program itself continues after a violated ownership declaration; the search does not.
static void record_broken_ownership (state_search *s) {
  uint32_t edge = s->current.broken_ownership;
  if (edge != IR_NONE) record_incompleteness (s, edge, "executions end where exclusive access is violated");
}

static void record_bound (state_search *s) {
  s->cut = true;
  pthread_mutex_lock (&s->shared->reporting);
  verdict_add_bound (s->run->verdict, "%s", s->current.step.stop_message);
  pthread_mutex_unlock (&s->shared->reporting);
}

void search_note_result (state_search *s, state_id state, step_result result) {
  current_state *w = &s->current;
  if (result == STEP_CUT) record_bound (s);
  if (result == STEP_UNSUPPORTED) record_unsupported (s);
  record_undefined (s);
  record_broken_ownership (s);
  if (w->step.violations.count) search_claim_violations (s, state);
}
