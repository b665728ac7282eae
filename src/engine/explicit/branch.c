// Branching without storing states. Close to the end of all executions, where only a few pairs of accesses can still
// conflict, the search does not store a state in which interleavings branch: the big step continues with each of the
// threads in turn, as it does with each value of a choice. Executing such a state again costs less than storing it.
//
// Whether a state is branched in must depend on the state alone, not on the path to it; otherwise the same state would
// be stored on one path and branched in on another. The condition is that the rest of the program ends after a few
// alternatives. If a big step takes more alternatives than that, the search stores the state where the big step began
// to branch (the root) after all.
#include "engine/explicit/explicit_reduce.h"

enum { FEW_CONFLICTS = 8, FEW_ACCESSES = 24 /* of one thread */, FEW_BRANCHES = 4 /* from the root to the end */ };

// ---- is the end near? ---------------------------------------------------------------------------------
static uint32_t count_conflicts (const current_state *w, const thread_future *a, const thread_future *b) {
  uint32_t conflicts = 0;
  for (uint32_t j = 0; j < a->accesses.count && conflicts <= FEW_CONFLICTS; j++)
    for (uint32_t k = 0; k < b->accesses.count; k++) {
      const future_access *x = &a->accesses.data[j], *y = &b->accesses.data[k];
      conflicts += (x->write || y->write) && future_places_overlap (w, x, y);
    }
  return conflicts;
}

static bool is_short (const thread_future *f) {
  return !f->everything && !f->loops && !f->creates && f->accesses.count <= FEW_ACCESSES;
}

static bool is_near_end (state_search *s, const state_snapshot *v) {
  uint32_t conflicts = 0;
  const thread_future *later[IR_MAX_THREADS];
  for (uint32_t k = 0; k < v->num_threads; k++) {
    later[k] = futures_of (s->reducer->futures, &s->current, v->threads[k].slot);
    if (!is_short (later[k])) return false;
    for (uint32_t j = 0; j < k; j++) conflicts += count_conflicts (&s->current, later[j], later[k]);
  }
  return conflicts <= FEW_CONFLICTS;
}

// A state may only be branched in if examining it (as the search does when it expands a stored state) would report
// nothing.
static bool has_nothing_to_report (state_search *s, const state_snapshot *v) {
  uint64_t asked = s->current.semantics->properties;
  access_pair pair;
  if (asked >> IR_P_DEADLOCK & 1) return false;
  if (asked >> IR_P_LOCKS & 1 && v->num_enabled < v->num_threads) return false;
  return !(asked >> IR_P_RACE & 1) || !xs_detect_races (&s->current, &pair, 1);
}

// ---- branching ----------------------------------------------------------------------------------------
static void begin_branching (state_search *s, branching *b) {
  const current_state *w = &s->current;
  b->open = true;
  b->first_choice = w->step.next_choice;
  b->ways = 1;
  b->hash = w->hash;
  vec_clear (&b->ids);
  for (uint32_t k = 0; k < w->ids.count; k++) vec_push (&b->ids, w->ids.data[k]);
  vec_clear (&b->log);
  for (uint32_t k = 0; k < s->reducer->log.count; k++) vec_push (&b->log, s->reducer->log.data[k]);
}

static bool is_stored (state_search *s) {
  const current_state *w = &s->current;
  store_enter (&s->store);
  bool known = store_has_state (&s->store, w->ids.data, w->ids.count, w->hash);
  store_leave (&s->store);
  return known;
}

// Each choice made since the root has alternatives; returns whether the root would get more than the allowed number of
// branches.
static bool too_many_ways (const branching *b, const current_state *w, uint32_t alternatives) {
  uint32_t ways = alternatives;
  for (uint32_t k = b->first_choice; k < w->step.next_choice; k++) ways += w->step.choices.data[k].alternatives - 1;
  return ways > FEW_BRANCHES;
}

static const branch_point *known_point (const branching *b, const current_state *w, uint32_t steps) {
  for (uint32_t k = 0; k < b->points.count; k++)
    if (b->points.data[k].choice == w->step.next_choice && b->points.data[k].steps == steps) return &b->points.data[k];
  return NULL;
}

static void remove_branch_points (branching *b, uint32_t choices) {
  while (b->points.count && vec_last (&b->points).choice >= choices) b->points.count--;
}

bool branch_begin (state_search *s) {
  branching *b = &s->reducer->branching;
  uint32_t choices = s->current.step.choices.count;
  remove_branch_points (b, choices);
  b->open &= choices > b->first_choice;
  return !b->open || ++b->ways <= FEW_BRANCHES;
}

void branch_give_up (state_search *s) {
  branching *b = &s->reducer->branching;
  b->open = false;
  s->current.step.choices.count = b->first_choice;
  remove_branch_points (b, b->first_choice);
}

uint32_t branch_again (state_search *s, uint32_t steps) {
  current_state *w = &s->current;
  if (w->step.next_choice >= w->step.choices.count) return IR_NONE;
  const branch_point *p = known_point (&s->reducer->branching, w, steps);
  return p ? p->threads.index[xs_step_choose (w, p->threads.count)] : IR_NONE;
}

uint32_t branch_first_time (state_search *s, uint32_t steps) {
  current_state *w = &s->current;
  state_reducer *r = s->reducer;
  branching *b = &r->branching;
  branch_point p = {w->step.next_choice, steps, {0}};
  if (!r->prune || p.choice < w->step.choices.count || !has_nothing_to_report (s, &r->after)) return IR_NONE;
  if (!b->open && (!is_near_end (s, &r->after) || is_stored (s))) return IR_NONE;
  if (!b->open) begin_branching (s, b);
  stubborn_smallest (&r->after, &p.threads);
  symmetry_drop (s, &r->after, &p.threads);
  if (too_many_ways (b, w, p.threads.count)) return IR_NONE;
  vec_push (&b->points, p);
  return p.threads.index[xs_step_choose (w, p.threads.count)];
}
