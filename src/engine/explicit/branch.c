// Branching without storing.  Close to the end of all executions, where only a few accesses can still meet, a state where interleavings part is not stored: the
// big step goes on with each of the threads in turn, as it does with values that are chosen.  Passing such a state again costs less than remembering it.
//
// Which states are passed depends on the state alone, not on the way to it (otherwise states would be stored on one way and passed on another): all that follows
// must come to its end in a few ways.  If that turns out not to be so, the state where the big step began to branch, the root, is stored after all.
#include "engine/explicit/reduce.h"

enum { FEW_MEETINGS = 8, FEW_ACCESSES = 24 /* of one thread */, FEW_WAYS = 4 /* from the root to the end */ };

// ---- is the end near? ----------------------------------------------------------------------------------
static uint32_t count_meetings (const world *w, const future *a, const future *b) {
  uint32_t meetings = 0;
  for (uint32_t j = 0; j < a->accesses.count && meetings <= FEW_MEETINGS; j++)
    for (uint32_t k = 0; k < b->accesses.count; k++) {
      const future_access *x = &a->accesses.data[j], *y = &b->accesses.data[k];
      meetings += (x->write || y->write) && future_places_overlap (w, x, y);
    }
  return meetings;
}

static bool is_short (const future *f) {
  return !f->everything && !f->loops && !f->creates && f->accesses.count <= FEW_ACCESSES;
}

static bool nearly_done (search *s, const state_view *v) {
  uint32_t meetings = 0;
  const future *later[IR_MAX_THREADS];
  for (uint32_t k = 0; k < v->num_threads; k++) {
    later[k] = futures_of (s->reducer->futures, &s->world, v->threads[k].slot);
    if (!is_short (later[k])) return false;
    for (uint32_t j = 0; j < k; j++) meetings += count_meetings (&s->world, later[j], later[k]);
  }
  return meetings <= FEW_MEETINGS;
}

// What is examined where a state is expanded must have nothing to say about a state that is passed.
static bool has_nothing_to_show (search *s, const state_view *v) {
  uint64_t asked = s->world.semantics->properties;
  race_pair pair;
  if (asked >> IR_P_DEADLOCK & 1) return false;
  if (asked >> IR_P_LOCKS & 1 && v->num_enabled < v->num_threads) return false;
  return !(asked >> IR_P_RACE & 1) || !xs_detect_races (&s->world, &pair, 1);
}

// ---- branching -----------------------------------------------------------------------------------------
static void make_root (search *s, branching *b) {
  const world *w = &s->world;
  b->open = true;
  b->first_choice = w->step.next_choice;
  b->ways = 1;
  b->hash = w->hash;
  vec_clear (&b->ids);
  for (uint32_t k = 0; k < w->current.count; k++) vec_push (&b->ids, w->current.data[k]);
  vec_clear (&b->log);
  for (uint32_t k = 0; k < s->reducer->log.count; k++) vec_push (&b->log, s->reducer->log.data[k]);
}

static bool is_stored (search *s) {
  const world *w = &s->world;
  store_enter (&s->store);
  bool known = store_has_state (&s->store, w->current.data, w->current.count, w->hash);
  store_leave (&s->store);
  return known;
}

// Each choice on the way from the root has other ways beside it.
static bool too_many_ways (const branching *b, const world *w, uint32_t alternatives) {
  uint32_t ways = alternatives;
  for (uint32_t k = b->first_choice; k < w->step.next_choice; k++) ways += w->step.choices.data[k].alternatives - 1;
  return ways > FEW_WAYS;
}

static const branch_point *known_point (const branching *b, const world *w, uint32_t steps) {
  for (uint32_t k = 0; k < b->points.count; k++)
    if (b->points.data[k].choice == w->step.next_choice && b->points.data[k].steps == steps) return &b->points.data[k];
  return NULL;
}

static void drop_points (branching *b, uint32_t choices) {
  while (b->points.count && vec_last (&b->points).choice >= choices) b->points.count--;
}

bool branch_begin (search *s) {
  branching *b = &s->reducer->branching;
  uint32_t choices = s->world.step.choices.count;
  drop_points (b, choices);
  b->open &= choices > b->first_choice;
  return !b->open || ++b->ways <= FEW_WAYS;
}

void branch_give_up (search *s) {
  branching *b = &s->reducer->branching;
  b->open = false;
  s->world.step.choices.count = b->first_choice;
  drop_points (b, b->first_choice);
}

uint32_t branch_again (search *s, uint32_t steps) {
  world *w = &s->world;
  if (w->step.next_choice >= w->step.choices.count) return IR_NONE;
  const branch_point *p = known_point (&s->reducer->branching, w, steps);
  return p ? p->threads.index[world_choose (w, p->threads.count)] : IR_NONE;
}

uint32_t branch_here (search *s, uint32_t steps) {
  world *w = &s->world;
  reducer *r = s->reducer;
  branching *b = &r->branching;
  branch_point p = {w->step.next_choice, steps, {0}};
  if (!r->prune || p.choice < w->step.choices.count || !has_nothing_to_show (s, &r->after)) return IR_NONE;
  if (!b->open && (!nearly_done (s, &r->after) || is_stored (s))) return IR_NONE;
  if (!b->open) make_root (s, b);
  stubborn_smallest (&r->after, &p.threads);
  symmetry_drop (s, &r->after, &p.threads);
  if (too_many_ways (b, w, p.threads.count)) return IR_NONE;
  vec_push (&b->points, p);
  return p.threads.index[world_choose (w, p.threads.count)];
}
