// Terms of value.c stop at loads from memory that may change.  The terms here look through such loads: two loads are
// equal if their addresses are.
#include "base/limits.h"
#include "engine/locks/checks/checks_impl.h"

typedef struct loading {
  lock_analysis *a;
  ir_proc proc;
  int depth;
} loading;

static value_term loaded_leaf (void *state, value_term leaf) {
  loading *l = state;
  lock_analysis *a = l->a;
  const value_node n = *value_node_at (&a->values, leaf);
  if (n.kind != V_REG || n.a != l->proc.i || at_limit (LOCK_LOADS, l->depth)) return leaf;
  ir_edge definition = a->values.definition[l->proc.i][n.b];
  if (definition.i >= a->program->edges.count || ir_edge_at (a->program, definition)->op != IR_LOAD) return leaf;
  loading inner = {a, l->proc, l->depth + 1};
  value_term at = value_of_expr (&a->values, l->proc, ir_arg (a->program, definition, 0));
  return value_load (&a->values, value_replace (&a->values, at, loaded_leaf, &inner),
                     ir_edge_at (a->program, definition)->bytes);
}

// The condition as a term over memory; VALUE_NONE if it depends on a register that may change on the path.
static value_term tested_memory (lock_analysis *a, ir_edge assume) {
  loading l = {a, ir_loc_at (a->program, ir_edge_at (a->program, assume)->from)->proc, 0};
  value_term v = value_of_expr (&a->values, l.proc, ir_arg (a->program, assume, 0));
  v = value_replace (&a->values, v, loaded_leaf, &l);
  return v.i != VALUE_NONE && value_over_params (&a->values, v, l.proc) ? v : (value_term){VALUE_NONE};
}

bool path_contradicts_itself (const lock_paths *w, uint32_t node) {
  lock_analysis *a = w->analysis;
  map tested = {0};  // term -> 1: found true, 0: false
  bool differs = false;
  for (uint32_t n = node; w->nodes.data[n].from != IR_NONE && !differs; n = w->nodes.data[n].from) {
    ir_edge e = {w->nodes.data[n].edge};
    value_term v = ir_edge_at (a->program, e)->op == IR_ASSUME ? tested_memory (a, e) : (value_term){VALUE_NONE};
    if (v.i == VALUE_NONE) continue;
    lock_condition c = normal_condition (a, v);
    differs = *map_insert (&tested, c.term.i, !c.negated, NULL) != !c.negated;
  }
  map_release (&tested);
  return differs;
}
