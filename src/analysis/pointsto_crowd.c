// Nodes with too many targets.  In large programs some pointers seem to point to a good part of all objects, at many places of each.  Where
// thousands of loads go through such pointers, following each into each object takes forever, and the answers differ little.
//
// So all nodes that grow too large become one, the crowd, which does not know places in objects.  Loads through it all read one
// node, into which its objects' contents flow; stores all go to one from which they flow into its objects.  Some of these stores are of parts of words,
// so pointers in its objects count as torn.
#include "analysis/pointsto_impl.h"

bool crowd_is (const solver *s, uint32_t n) { return s->crowd && solver_leader (s, s->crowd) == solver_leader (s, n); }

static void make_crowd (solver *s) {
  if (s->crowd) return;
  s->crowd = solver_add_node (s);
  s->nodes.data[s->crowd].crowded = true;
  for (unsigned k = 0; k < 2; k++) {
    s->out_of_crowd[k] = solver_add_node (s);
    s->into_crowd[k] = solver_add_node (s);
  }
}

// The node's rules and copies are given what the crowd has so far; the node's targets are fresh for the crowd.
static void join_crowd (solver *s, uint32_t n) {
  node joining = s->nodes.data[n];
  s->nodes.data[n] = (node){.leader = solver_leader (s, s->crowd)};
  if (joining.waiting) s->num_waiting--;
  solver_add_targets (s, s->crowd, &joining.all);
  for (uint32_t k = 0; k < joining.copies.count; k++) solver_add_copy (s, s->crowd, joining.copies.data[k]);
  for (uint32_t k = 0; k < joining.rules.count; k++) solver_add_rule (s, s->crowd, joining.rules.data[k]);
  node_release (&joining);
}

void crowd_gather (solver *s) {
  if (!s->crowded.count) return;
  make_crowd (s);
  while (s->crowded.count) {
    uint32_t n = solver_leader (s, vec_pop (&s->crowded));
    if (!crowd_is (s, n)) join_crowd (s, n);
  }
}

static void add_target (solver *s, target t) {
  uint32_t object = target_object (t);
  const object_cells *o = &s->objects[object];
  bool pieces = target_place (t) != PLACE_ALIGNED, constant = o->constant;
  if (!o->size) return;
  if (!o->empty) solver_add_copy (s, memory_out (s, object), s->out_of_crowd[pieces]);
  if (constant) return;
  if (!pieces) solver_add_copy (s, s->into_crowd[0], memory_in (s, object));
  solver_add_copy (s, s->into_crowd[1], memory_in (s, object));
  memory_tear_object (s, object);
}

void crowd_add_targets (solver *s, const target_set *fresh) {
  for (set_cursor c = {0}; set_next (fresh, &c);) add_target (s, c.target);
}

void crowd_add_load (solver *s, const rule *r) {
  solver_add_copy (s, s->out_of_crowd[0], r->bytes == s->word ? r->other : r->pieces);
  solver_add_copy (s, s->out_of_crowd[1], r->pieces);
}

void crowd_add_store (solver *s, const rule *r) {
  bool whole = r->bytes == s->word && !r->mixes;
  if (whole) solver_add_copy (s, r->other, s->into_crowd[0]);
  solver_add_copy (s, r->pieces, s->into_crowd[1]);
}
