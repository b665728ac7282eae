// From a stored state back to the start, and forward again as a schedule.  Only parents are stored; which thread and
// which choices led from one state to the next is found again by executing, so a state costs four bytes more, not a transition.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/search.h"

static bool world_is_at (const world *w, const uint32_t *ids, uint32_t count) {
  for (uint32_t k = 0; k < w->current.count; k++)
    if (w->current.data[k] != (k < count ? ids[k] : 0)) return false;
  return true;
}

void path_append_step (const world *w, schedule *out) {
  for (uint32_t k = 0; k < w->step.parts.count; k++)
    schedule_add (out, w->step.parts.data[k].thread, w->step.parts.data[k].edges);
  for (uint32_t k = 0; k < w->step.chosen.count; k++) vec_push (&out->choices, w->step.chosen.data[k]);
}

static bool take_step_to (search *s, state_id from, state_id to, uint32_t slot, schedule *out) {
  world *w = &s->world;
  uint32_t from_count, to_count;
  const uint32_t *from_ids = store_state (&s->store, from, &from_count),
                 *to_ids = store_state (&s->store, to, &to_count);
  vec_clear (&w->step.choices);
  do {
    world_load (w, from_ids, from_count);
    world_begin_step (w);
    if (xs_exec_step (w, slot) != STEP_DONE) continue;
    world_commit (w);
    if (!world_is_at (w, to_ids, to_count)) continue;
    path_append_step (w, out);
    return true;
  } while (world_next_choices (w));
  return false;
}

static void follow_one_step (search *s, state_id from, state_id to, schedule *out) {
  uint32_t slots[IR_MAX_THREADS];
  search_reload (s, from);
  uint32_t enabled = xs_detect_enabled (&s->world, slots);
  for (uint32_t k = 0; k < enabled; k++)
    if (take_step_to (s, from, to, slots[k], out)) return;
  BUG ("state %u should be reachable from state %u", to, from);
}

// False: the thread cannot take that many, because other values were chosen than when the log was written.
static bool take_logged_steps (world *w, uint32_t slot, uint32_t count) {
  for (; count; count--) {
    if (w->threads[slot].status != T_RUNNING || !xs_exec_enabled (w, slot)) return false;
    if (xs_exec_step (w, slot) != STEP_DONE) return false;
  }
  return true;
}

static bool take_log (world *w, const uint32_t *log, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    if (!take_logged_steps (w, log[k] >> STEP_COUNT_BITS, log[k] & ((1u << STEP_COUNT_BITS) - 1))) return false;
  world_commit (w);
  return true;
}

// The log says who steps; what was chosen on the way is found by trying.
static void follow_log (search *s, state_id from, state_id to, schedule *out) {
  world *w = &s->world;
  uint32_t words, count;
  const uint32_t *log = store_log (&s->store, to, &words), *ids = store_state (&s->store, to, &count);
  vec_clear (&w->step.choices);
  do {
    search_reload (s, from);
    world_begin_step (w);
    if (!take_log (w, log, words) || !world_is_at (w, ids, count)) continue;
    path_append_step (w, out);
    return;
  } while (world_next_choices (w));
  BUG ("state %u should be reachable from state %u by its log", to, from);
}

void path_to (search *s, state_id state, schedule *out) {
  VEC (state_id) chain = {0};
  for (state_id at = state; at != IR_NONE; at = store_parent (&s->store, at)) vec_push (&chain, at);
  for (uint32_t k = chain.count; k-- > 0;) {
    state_id from = k + 1 < chain.count ? chain.data[k + 1] : IR_NONE;
    if (s->reducer) follow_log (s, from, chain.data[k], out);
    else if (from != IR_NONE) follow_one_step (s, from, chain.data[k], out);
  }
  vec_release (&chain);
}
