// Which variable stands where in a state.
#include "engine/boolean/symbolic.h"

void layout_init (layout *l, const bp_program *p) {
  *l = (layout){.program = p, .number = mem_alloc (sizeof *l->number * p->vars.count)};
  for (uint32_t v = 0; v < p->vars.count; v++)
    l->number[v] = p->vars.data[v].global ? l->num_globals++ : l->num_locals++;
  bp_liveness_find (&l->live, p);
}

void layout_release (layout *l) {
  mem_free (l->number, sizeof *l->number * l->program->vars.count);
  bp_liveness_release (&l->live, l->program);
}
