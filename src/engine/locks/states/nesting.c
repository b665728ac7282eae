// Every release is looked at in every state of the analysis.  A lock that may be one of several, or that others give back, is not
// judged; then what is nested is only what could be judged.
#include "engine/locks/states/states_impl.h"


typedef struct judging {
  lock_analysis *a;
  ir_edge edge;
  lock_use lock;
} judging;

static void judge (void *user, uint32_t context, uint32_t node, effect *state) {
  judging *j = user;
  (void) node;
  lock_analysis *a = j->a;
  lock_use u = context_use (a, context, j->lock);
  if (state->lost || !lock_is_fixed (&a->locks, use_lock (u)) || !trust_lock (a, use_lock (u))) {
    a->uncertain = true;
    return;
  }
  held_lock *h = effect_find (state, u);
  for (uint32_t k = state->num_held; h && k-- > 0 && &state->held[k] != h;)
    if (!state->held[k].sure || !trust_lock (a, use_lock ((lock_use){state->held[k].use})) ||
        lock_is_vague (&a->locks, use_lock ((lock_use){state->held[k].use})))
      a->uncertain = true;
    else if (a->nested) {
      a->nested = false;
      a->unnested = j->edge.i;
      a->released = u.i;
      a->later = state->held[k].use;
    }
}

void find_nesting (lock_analysis *a) {
  a->nested = true;
  a->unnested = a->released = a->later = IR_NONE;
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    unsigned arg;
    if (!step_releases (a, (ir_edge){e}, &arg)) continue;
    ir_loc at = a->program->edges.data[e].from;
    judging j = {a, {e}, step_lock (a, (ir_edge){e}, arg, false)};
    for (uint32_t k = 0; k < threads_count (a->threads); k++)
      if (threads_runs (a->threads, k, at)) for_each_state (a, k, at, judge, &j);
  }
}

static bool has_locks (lock_analysis *a) {
  unsigned arg;
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    if (step_releases (a, (ir_edge){e}, &arg)) return true;
  return false;
}

const char *nesting_note (lock_analysis *a, arena *arena) {
  if (!has_locks (a)) return NULL;
  if (!a->nested) {
    const ir_edge_data *d = ir_edge_at (a->program, (ir_edge){a->unnested});
    return arena_printf (arena,
                         "locks are not nested: `%s` is given back at %s:%u while `%s`, taken later, is held; so what "
                         "is called possible may be impossible for locks alone",
                         lock_name (&a->locks, use_lock ((lock_use){a->released}), arena),
                         d->pos.file ? d->pos.file : "?", d->pos.line,
                         lock_name (&a->locks, use_lock ((lock_use){a->later}), arena));
  }
  if (a->uncertain || a->lost)
    return "locks are nested as far as it is known which they are; where it is not, they exclude nothing";
  if (a->shortened)
    return "locks are nested, but there are too many ways to take them to tell all apart: what is called possible may "
           "be "
           "impossible for locks alone";
  return "locks are nested: what they exclude is decided exactly for control flow and locks; conditions on data are "
         "not looked at";
}
