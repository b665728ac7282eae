// Nodes with too many targets. In large programs some pointers seem to point to a large part of all objects, at many
// offsets of each. Where thousands of loads go through such pointers, following each pointer into each object takes too
// long, and the answers differ little.
//
// So all nodes that grow too large become one, the collapsed node, which does not know offsets in objects. Loads
// through it all read one node, into which the contents of its objects flow; stores through it all go to one node, from
// which they flow into its objects. Some of these stores are of parts of words, so pointers in its objects count as
// torn.
#include "analysis/pointsto_impl.h"

bool is_collapsed_node (const solver *s, uint32_t n) {
  return s->collapsed && solver_leader (s, s->collapsed) == solver_leader (s, n);
}

static void make_collapsed_node (solver *s) {
  if (s->collapsed) return;
  s->collapsed = solver_add_node (s);
  s->nodes.data[s->collapsed].is_collapsed = true;
  for (unsigned k = 0; k < 2; k++) {
    s->out_of_collapsed[k] = solver_add_node (s);
    s->into_collapsed[k] = solver_add_node (s);
  }
}

// Merges a node into the collapsed node: rules and copies of the node get the targets of the collapsed node, and the
// targets of the node are fresh for the collapsed node.
static void join_collapsed_node (solver *s, uint32_t n) {
  pointsto_node joining = s->nodes.data[n];
  s->nodes.data[n] = (pointsto_node){.leader = solver_leader (s, s->collapsed)};
  if (joining.waiting) s->num_waiting--;
  solver_add_targets (s, s->collapsed, &joining.all);
  for (uint32_t k = 0; k < joining.copies.count; k++) solver_add_copy (s, s->collapsed, joining.copies.data[k]);
  for (uint32_t k = 0; k < joining.rules.count; k++) solver_add_rule (s, s->collapsed, joining.rules.data[k]);
  node_release (&joining);
}

void collapse_waiting_nodes (solver *s) {
  if (!s->to_collapse.count) return;
  make_collapsed_node (s);
  while (s->to_collapse.count) {
    uint32_t n = solver_leader (s, vec_pop (&s->to_collapse));
    if (!is_collapsed_node (s, n)) join_collapsed_node (s, n);
  }
}

static void connect_collapsed_target (solver *s, target t) {
  uint32_t object = target_object (t);
  const object_cells *o = &s->objects[object];
  bool pieces = target_place (t) != PLACE_ALIGNED, constant = o->constant;
  if (!o->size) return;
  if (!o->empty) solver_add_copy (s, memory_out (s, object), s->out_of_collapsed[pieces]);
  if (constant) return;
  if (!pieces) solver_add_copy (s, s->into_collapsed[0], memory_in (s, object));
  solver_add_copy (s, s->into_collapsed[1], memory_in (s, object));
  memory_tear_object (s, object);
}

void collapse_add_targets (solver *s, const target_set *fresh) {
  for (set_cursor c = {0}; set_next (fresh, &c);) connect_collapsed_target (s, c.target);
}

void collapse_add_load (solver *s, const pointsto_rule *r) {
  solver_add_copy (s, s->out_of_collapsed[0], r->bytes == s->word ? r->other : r->pieces);
  solver_add_copy (s, s->out_of_collapsed[1], r->pieces);
}

void collapse_add_store (solver *s, const pointsto_rule *r) {
  bool whole = r->bytes == s->word && !r->mixes;
  if (whole) solver_add_copy (s, r->other, s->into_collapsed[0]);
  solver_add_copy (s, r->pieces, s->into_collapsed[1]);
}
