// Looks at every release in every state.  Unresolved and undisciplined locks are not judged.
#include "engine/locks/states/states_impl.h"

typedef struct nesting_check {
  lock_analysis *a;
  ir_edge edge;
  lock_use lock;
} nesting_check;

static void judge (void *user, uint32_t context, uint32_t node, effect *state) {
  nesting_check *j = user;
  (void) node;
  lock_analysis *a = j->a;
  lock_use u = context_lock (a, context, j->lock);
  if (state->overflowed || !lock_is_fixed (&a->locks, use_lock (u)) || !lock_is_disciplined (a, use_lock (u))) {
    a->nesting_unknown = true;
    return;
  }
  held_use *h = effect_find (state, u);
  for (uint32_t k = state->num_held; h && k-- > 0 && &state->held[k] != h;)
    if (!state->held[k].must || !lock_is_disciplined (a, use_lock ((lock_use){state->held[k].use})) ||
        lock_is_unresolved (&a->locks, use_lock ((lock_use){state->held[k].use})))
      a->nesting_unknown = true;
    else if (a->well_nested) {
      a->well_nested = false;
      a->unnested_release = j->edge.i;
      a->unnested_use = u.i;
      a->later_use = state->held[k].use;
    }
}

void find_nesting (lock_analysis *a) {
  a->well_nested = true;
  a->unnested_release = a->unnested_use = a->later_use = IR_NONE;
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    unsigned arg;
    if (!edge_releases (a, (ir_edge){e}, &arg)) continue;
    ir_loc at = a->program->edges.data[e].from;
    nesting_check j = {a, {e}, edge_lock (a, (ir_edge){e}, arg, false)};
    for (uint32_t k = 0; k < threads_count (a->threads); k++)
      if (threads_runs (a->threads, k, at)) for_each_state (a, k, at, judge, &j);
  }
}

static bool has_locks (lock_analysis *a) {
  unsigned arg;
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    if (edge_releases (a, (ir_edge){e}, &arg)) return true;
  return false;
}

const char *nesting_note (lock_analysis *a, arena *arena) {
  if (!has_locks (a)) return NULL;
  if (!a->well_nested) {
    const ir_edge_data *d = ir_edge_at (a->program, (ir_edge){a->unnested_release});
    return arena_printf (arena,
                         "locks are not nested: `%s` is released at %s:%u while `%s`, acquired later, is held; so what "
                         "is called possible may be impossible for locks alone",
                         name_of_lock (&a->locks, use_lock ((lock_use){a->unnested_use}), arena),
                         d->pos.file ? d->pos.file : "?", d->pos.line,
                         name_of_lock (&a->locks, use_lock ((lock_use){a->later_use}), arena));
  }
  if (a->nesting_unknown || a->overflowed)
    return "locks are nested as far as it is known which they are; where it is not, they exclude nothing";
  if (a->histories_dropped)
    return "locks are nested, but there are too many ways to take them to tell all apart: what is called possible may "
           "be impossible for locks alone";
  return "locks are nested: what they exclude is decided exactly for control flow and locks; conditions on data are "
         "not looked at";
}
