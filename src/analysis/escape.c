// The answers of the escape analysis. An operand points into private memory if points-to lists only objects that are
// never shared, or if its origin is private in every context in which the edge is reached.
#include "analysis/escape.h"

#include "analysis/escape_impl.h"

struct escape {
  const ir_program *program;
  const pointsto *pointsto;
  bool *shared;      // [object]
  uint8_t *exposed;  // [operand]
};

escape *escape_new (const ir_program *p, const pointsto *facts) {
  escape *x = mem_zalloc (sizeof *x);
  calls *graph = calls_new (p, facts);
  allocation_sources s;
  x->program = p;
  x->pointsto = facts;
  x->shared = escape_find_shared (p, facts, graph);
  x->exposed = mem_zalloc (p->args.count);
  sources_init (&s, p, facts, graph);
  escape_find_exposed (&s, x->exposed);
  sources_release (&s);
  calls_free (graph);
  return x;
}

void escape_free (escape *x) {
  mem_free (x->shared, sizeof (bool) * pointsto_num_objects (x->pointsto));
  mem_free (x->exposed, x->program->args.count);
  mem_free (x, sizeof *x);
}

bool escape_shared (const escape *x, uint32_t object) { return x->shared[object]; }

bool escape_private (const escape *x, ir_edge e, unsigned k) {
  pointsto_set set = pointsto_arg (x->pointsto, e, k);
  if (set.anything) return false;
  return !x->exposed[ir_edge_at (x->program, e)->first_arg + k] || escape_set_private (x->shared, set);
}
