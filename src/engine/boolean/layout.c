// Facts about a program that are known before any step: the position of each variable in a state, the locations from
// which assertions are reachable.
#include "engine/boolean/symbolic.h"

static bool leads_to_assertion (const state_layout *l, const bp_location *d) {
  bool ahead = d->kind == BP_ASSERT || (d->thread.i != BP_NONE && l->ahead[d->thread.i]);
  for (uint32_t i = 0; i < d->next.count; i++) ahead |= l->ahead[d->next.data[i].i];
  return ahead;
}

static void find_ahead (state_layout *l) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = l->program->locs.count; i-- > 0;) {
      if (l->ahead[i] || !leads_to_assertion (l, &l->program->locs.data[i])) continue;
      l->ahead[i] = changed = true;
    }
  }
}

void state_layout_init (state_layout *l, const bp_program *p) {
  *l = (state_layout){.program = p, .number = mem_alloc (sizeof *l->number * p->vars.count)};
  for (uint32_t v = 0; v < p->vars.count; v++)
    if (p->vars.data[v].global) l->number[v] = l->num_globals++;
  bp_find_live (&l->live, p);
  state_layout_find_slots (l);
  l->ahead = mem_zalloc (sizeof *l->ahead * p->locs.count);
  find_ahead (l);
}

void state_layout_release (state_layout *l) {
  state_layout_release_slots (l);
  mem_free (l->number, sizeof *l->number * l->program->vars.count);
  mem_free (l->ahead, sizeof *l->ahead * l->program->locs.count);
  dataflow_release (&l->live);
}
