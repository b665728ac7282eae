// Live variables of each location: the variables that are read on some path from the location before they are assigned,
// by the thread at the location or by a thread that it starts.  Paper BOOL, section 4, calls them active.
#include "base/dataflow.h"

#include "boolean/bp_program.h"

typedef struct variable_access {
  const bp_program *p;
  dataflow *live;
  VEC (uint32_t) assigned_by;  // by variable: 1 + the last visited location that assigns it
  bp_expr_list leaves;
} variable_access;

// Adds the variables that x reads at location l.  x' is x itself if the location does not assign x.
static void add_variable_reads (variable_access *a, uint32_t l, bp_expr x) {
  vec_clear (&a->leaves);
  bp_leaves (a->p, x, &a->leaves);
  for (uint32_t i = 0; i < a->leaves.count; i++) {
    bp_node n = bp_node_at (a->p, a->leaves.data[i]);
    if (n.op == BP_VAR || (n.op == BP_NEXT && a->assigned_by.data[n.a] != l + 1)) dataflow_read (a->live, l, n.a);
  }
}

static void add_variable_edge (variable_access *a, uint32_t from, uint32_t to) {
  const bp_location *d = &a->p->locs.data[from];
  dataflow_edge (a->live, from, to);
  for (uint32_t i = 0; i < d->targets.count; i++) dataflow_kill (a->live, d->targets.data[i].i);
}

static void add_location_accesses (variable_access *a, uint32_t l) {
  const bp_location *d = &a->p->locs.data[l];
  for (uint32_t i = 0; i < d->targets.count; i++) a->assigned_by.data[d->targets.data[i].i] = l + 1;
  for (uint32_t i = 0; i < d->values.count; i++) add_variable_reads (a, l, d->values.data[i]);
  add_variable_reads (a, l, d->condition);
  for (uint32_t i = 0; i < d->next.count; i++) add_variable_edge (a, l, d->next.data[i].i);
  if (d->thread.i != BP_NONE) add_variable_edge (a, l, d->thread.i);
}

void bp_find_live (dataflow *live, const bp_program *p) {
  variable_access a = {.p = p, .live = live};
  dataflow_init (live, p->locs.count, p->vars.count);
  for (uint32_t v = 0; v < p->vars.count; v++) vec_push (&a.assigned_by, 0);
  for (uint32_t l = 0; l < p->locs.count; l++) add_location_accesses (&a, l);
  dataflow_solve (live);
  vec_release (&a.assigned_by);
  vec_release (&a.leaves);
}
