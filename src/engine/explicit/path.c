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

static void append_step (const world *w, schedule *out) {
  for (uint32_t k = 0; k < w->parts.count; k++) schedule_add (out, w->parts.data[k].thread, w->parts.data[k].edges);
  for (uint32_t k = 0; k < w->chosen.count; k++) vec_push (&out->choices, w->chosen.data[k]);
}

static bool take_step_to (search *s, state_id from, state_id to, uint32_t slot, schedule *out) {
  world *w = &s->world;
  uint32_t from_count, to_count;
  const uint32_t *from_ids = store_state (&s->store, from, &from_count),
                 *to_ids = store_state (&s->store, to, &to_count);
  vec_clear (&w->choices);
  do {
    world_load (w, from_ids, from_count);
    world_begin_step (w);
    if (xs_exec_step (w, slot) != STEP_DONE) continue;
    world_commit (w);
    if (!world_is_at (w, to_ids, to_count)) continue;
    append_step (w, out);
    return true;
  } while (world_next_choices (w));
  return false;
}

static void follow (search *s, state_id from, state_id to, schedule *out) {
  uint32_t slots[IR_MAX_THREADS], count;
  const uint32_t *ids = store_state (&s->store, from, &count);
  world_load (&s->world, ids, count);
  uint32_t enabled = xs_detect_enabled (&s->world, slots);
  for (uint32_t k = 0; k < enabled; k++)
    if (take_step_to (s, from, to, slots[k], out)) return;
  BUG ("state %u should be reachable from state %u", to, from);
}

void path_to (search *s, state_id state, schedule *out) {
  VEC (state_id) chain = {0};
  for (uint32_t at = state; at != IR_NONE; at = store_parent (&s->store, at)) vec_push (&chain, at);
  for (uint32_t k = chain.count - 1; k > 0; k--) follow (s, chain.data[k], chain.data[k - 1], out);
  vec_release (&chain);
}
