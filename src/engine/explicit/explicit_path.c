// From a stored state back to the start, and forward again as a schedule. Only parents are stored; the thread and the
// choices that led from one state to the next are found again by execution, so a state costs four bytes more, not a
// whole transition.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_search.h"

static bool is_current_state (const current_state *w, const uint32_t *ids, uint32_t count) {
  for (uint32_t k = 0; k < w->ids.count; k++)
    if (w->ids.data[k] != (k < count ? ids[k] : 0)) return false;
  return true;
}

void path_append_step (const current_state *w, schedule *out) {
  for (uint32_t k = 0; k < w->step.parts.count; k++)
    schedule_add (out, w->step.parts.data[k].thread, w->step.parts.data[k].edges);
  for (uint32_t k = 0; k < w->step.chosen.count; k++) vec_push (&out->choices, w->step.chosen.data[k]);
}

static bool take_step_to (state_search *s, state_id from, state_id to, uint32_t slot, schedule *out) {
  current_state *w = &s->current;
  uint32_t from_count, to_count;
  const uint32_t *from_ids = store_state (&s->store, from, &from_count),
                 *to_ids = store_state (&s->store, to, &to_count);
  vec_clear (&w->step.choices);
  do {
    xs_state_load (w, from_ids, from_count);
    xs_step_begin (w);
    if (xs_exec_step (w, slot) != STEP_DONE) continue;
    xs_state_commit (w);
    if (!is_current_state (w, to_ids, to_count)) continue;
    path_append_step (w, out);
    return true;
  } while (xs_step_next_choices (w));
  return false;
}

static void follow_one_step (state_search *s, state_id from, state_id to, schedule *out) {
  uint32_t slots[IR_MAX_THREADS];
  search_reload (s, from);
  uint32_t enabled = xs_detect_enabled (&s->current, slots);
  for (uint32_t k = 0; k < enabled; k++)
    if (take_step_to (s, from, to, slots[k], out)) return;
  BUG ("state %u should be reachable from state %u", to, from);
}

// Returns false if the thread cannot take so many steps, because other values are chosen than when the log was written.
static bool take_logged_steps (current_state *w, uint32_t slot, uint32_t count) {
  for (; count; count--) {
    if (w->threads[slot].status != T_RUNNING || !xs_exec_enabled (w, slot)) return false;
    if (xs_exec_step (w, slot) != STEP_DONE) return false;
  }
  return true;
}

static bool take_log (current_state *w, const uint32_t *log, uint32_t words) {
  for (uint32_t k = 0; k < words; k++)
    if (!take_logged_steps (w, log[k] >> STEP_COUNT_BITS, log[k] & ((1u << STEP_COUNT_BITS) - 1))) return false;
  xs_state_commit (w);
  return true;
}

// The log contains threads and numbers of steps; the choices are found by trying all.
static void follow_log (state_search *s, state_id from, state_id to, schedule *out) {
  current_state *w = &s->current;
  uint32_t words, count;
  const uint32_t *log = store_log (&s->store, to, &words), *ids = store_state (&s->store, to, &count);
  vec_clear (&w->step.choices);
  do {
    search_reload (s, from);
    xs_step_begin (w);
    if (!take_log (w, log, words) || !is_current_state (w, ids, count)) continue;
    path_append_step (w, out);
    return;
  } while (xs_step_next_choices (w));
  BUG ("state %u should be reachable from state %u by its log", to, from);
}

void path_to (state_search *s, state_id state, schedule *out) {
  VEC (state_id) chain = {0};
  for (state_id at = state; at != IR_NONE; at = store_parent (&s->store, at)) vec_push (&chain, at);
  for (uint32_t k = chain.count; k-- > 0;) {
    state_id from = k + 1 < chain.count ? chain.data[k + 1] : IR_NONE;
    if (s->reducer) follow_log (s, from, chain.data[k], out);
    else if (from != IR_NONE) follow_one_step (s, from, chain.data[k], out);
  }
  vec_release (&chain);
}
