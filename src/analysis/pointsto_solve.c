// Solves inclusion constraints. A node stands for a register, a word of memory or the value of an expression. Copies
// say that one node contains all targets of another; rules say what follows from the targets of a node: which memory it
// loads from or stores to, which functions it calls.
//
// Targets are propagated as differences: a node passes on only what is fresh. Nodes are visited in waves, in an order
// in which sources come before their copies, and nodes that copy each other in a cycle are united (pointsto_cycles.c):
// Pereira and Berlin, "Wave propagation and deep propagation for pointer analysis", 2009, section 3. Here a wave also
// applies the rules, and cycles are searched again only after many new copies.
#include "analysis/pointsto_impl.h"

#include "base/cutoff.h"
#include "base/limits.h"

// ---- nodes --------------------------------------------------------------------------------------------

uint32_t solver_add_node (solver *s) {
  uint32_t n = s->nodes.count;
  vec_push (&s->nodes, ((pointsto_node){.leader = n}));
  vec_push (&s->order, n);
  return n;
}

void solver_init (solver *s, uint32_t num_objects, uint32_t word) {
  *s = (solver){.word = word, .num_objects = num_objects, .places = {.word = word}};
  CHECK (num_objects <= OBJECT_NUMBERS, "the number of objects should fit into a target");
  s->objects = mem_zalloc (sizeof (object_cells) * num_objects);
  solver_add_node (s);  // NODE_NOTHING
  s->everywhere = solver_add_node (s);
}

void node_release (pointsto_node *n) {
  set_release (&n->all);
  set_release (&n->fresh);
  vec_release (&n->copies);
  vec_release (&n->rules);
}

void solver_release (solver *s) {
  for (uint32_t n = 0; n < s->nodes.count; n++) node_release (&s->nodes.data[n]);
  vec_release (&s->nodes);
  vec_release (&s->order);
  vec_release (&s->to_collapse);
  map_release (&s->copies);
  map_release (&s->blurs);
  map_release (&s->cells);
  map_release (&s->places.numbers);
  vec_release (&s->places.places);
  for (uint32_t o = 0; o < s->num_objects; o++) {
    vec_release (&s->objects[o].cells);
    vec_release (&s->objects[o].classes);
  }
  mem_free (s->objects, sizeof (object_cells) * s->num_objects);
}

uint32_t solver_leader (const solver *s, uint32_t n) {
  pointsto_node *nodes = s->nodes.data;
  while (nodes[n].leader != n) {
    nodes[n].leader = nodes[nodes[n].leader].leader;
    n = nodes[n].leader;
  }
  return n;
}

const target_set *solver_targets (const solver *s, uint32_t n) { return &s->nodes.data[solver_leader (s, n)].all; }

void solver_wake (solver *s, pointsto_node *n) {
  if (n->waiting) return;
  n->waiting = true;
  s->num_waiting++;
}

static void check_target_count (solver *s, uint32_t to) {
  pointsto_node *n = &s->nodes.data[to];
  if (n->is_collapsed || n->all.blocks.count <= s->most_targets / 64 || set_count (&n->all) <= s->most_targets) return;
  limit_met (POINTSTO_TARGETS);
  n->is_collapsed = true;
  vec_push (&s->to_collapse, to);
}

void solver_add_targets (solver *s, uint32_t to, const target_set *targets) {
  to = solver_leader (s, to);
  pointsto_node *n = &s->nodes.data[to];
  target_set fresh = {0};
  set_subtract (&fresh, targets, &n->all);
  if (n->is_collapsed && set_num_exact (&fresh)) {
    target_set part = fresh;
    set_coarsen (&part, s->word);
    fresh = (target_set){0};
    set_subtract (&fresh, &part, &n->all);
    set_release (&part);
  }
  if (set_is_empty (&fresh)) return;
  set_unite (&n->all, &fresh);
  set_unite (&n->fresh, &fresh);
  set_release (&fresh);
  check_target_count (s, to);
  solver_wake (s, n);
}

// Adds targets to a node and releases the set.
static void receive_targets (solver *s, uint32_t to, target_set *targets) {
  solver_add_targets (s, to, targets);
  set_release (targets);
}

void solver_add_target (solver *s, uint32_t n, target t) {
  target_set one = {0};
  set_add (&one, t);
  receive_targets (s, n, &one);
}

void solver_add_any (solver *s, uint32_t n) { receive_targets (s, n, &(target_set){.any = true}); }

void solver_add_copy (solver *s, uint32_t from, uint32_t to) {
  from = solver_leader (s, from);
  to = solver_leader (s, to);
  if (from == to || from == NODE_NOTHING) return;
  bool is_new;
  map_insert (&s->copies, (uint64_t) from << 32 | to, 0, &is_new);
  if (!is_new) return;
  vec_push (&s->nodes.data[from].copies, to);
  s->new_copies++;
  solver_add_targets (s, to, &s->nodes.data[from].all);
}

// ---- rules --------------------------------------------------------------------------------------------

static void apply_shift (solver *s, const pointsto_rule *r, const target_set *fresh) {
  target_set moved = {.any = fresh->any};
  set_add_unknown (&moved, fresh, r->amount % s->word == 0);
  for (set_cursor c = set_exact (fresh); set_next (fresh, &c);)
    set_add (&moved,
             target_make (target_object (c.target), place_shift (&s->places, target_place (c.target), r->amount)));
  receive_targets (s, r->other, &moved);
}

static void apply_blur (solver *s, const pointsto_rule *r, const target_set *fresh) {
  target_set moved = {.any = fresh->any && r->keeps_any};
  set_add_unknown (&moved, fresh, r->factor && r->factor % s->word == 0 && r->amount % s->word == 0);
  for (set_cursor c = set_exact (fresh); set_next (fresh, &c);) {
    uint32_t place = place_spread (&s->places, target_place (c.target), r->factor);
    set_add (&moved, target_make (target_object (c.target), place_shift (&s->places, place, r->amount)));
  }
  receive_targets (s, r->other, &moved);
}

void solver_blur_into (solver *s, uint32_t from, uint32_t to) {
  bool is_new;
  from = solver_leader (s, from);
  if (from == NODE_NOTHING) return;
  map_insert (&s->blurs, (uint64_t) from << 32 | to, 0, &is_new);
  if (is_new) solver_add_rule (s, from, (pointsto_rule){.kind = RULE_BLUR, .keeps_any = true, .other = to});
}

static void apply_load (solver *s, uint32_t n, const pointsto_rule *r, const target_set *fresh) {
  if (fresh->any) solver_add_any (s, r->other);
  if (is_collapsed_node (s, n)) collapse_add_load (s, r);
  else
    for (set_cursor c = {0}; set_next (fresh, &c);) memory_load (s, r, c.target);
}

static void apply_store (solver *s, uint32_t n, const pointsto_rule *r, const target_set *fresh) {
  if (fresh->any) memory_store_anywhere (s, r);
  if (is_collapsed_node (s, n)) collapse_add_store (s, r);
  else
    for (set_cursor c = {0}; set_next (fresh, &c);) memory_store (s, r, c.target);
}

static void apply_call (solver *s, const pointsto_rule *r, const target_set *fresh) {
  if (fresh->any) s->called (s->state, r->other, IR_NONE);
  for (set_cursor c = {0}; set_next (fresh, &c);) s->called (s->state, r->other, target_object (c.target));
}

static void apply_pointsto_rule (solver *s, uint32_t n, const pointsto_rule *r, const target_set *fresh) {
  switch (r->kind) {
  case RULE_SHIFT: apply_shift (s, r, fresh); return;
  case RULE_BLUR: apply_blur (s, r, fresh); return;
  case RULE_LOAD: apply_load (s, n, r, fresh); return;
  case RULE_STORE: apply_store (s, n, r, fresh); return;
  case RULE_CALL: apply_call (s, r, fresh); return;
  }
}

void solver_add_rule (solver *s, uint32_t n, pointsto_rule r) {
  n = solver_leader (s, n);
  if (n == NODE_NOTHING) return;
  pointsto_node *at = &s->nodes.data[n];
  vec_push (&at->rules, r);
  if (set_is_empty (&at->all)) return;
  target_set all = {0};  // a copy, because applying the rule may move or change the node
  set_unite (&all, &at->all);
  apply_pointsto_rule (s, n, &r, &all);
  set_release (&all);
}

// Parts of pointers are blurred on a node of their own, so that any number of words can be connected to it by copies.
void solver_add_load (solver *s, uint32_t address, uint32_t to, unsigned bytes) {
  uint32_t pieces = solver_add_node (s);
  solver_blur_into (s, pieces, to);
  solver_add_rule (s, address,
                   (pointsto_rule){.kind = RULE_LOAD, .bytes = (uint8_t) bytes, .other = to, .pieces = pieces});
}

void solver_add_store (solver *s, uint32_t address, uint32_t value, unsigned bytes, bool mixes) {
  pointsto_rule r = {.kind = RULE_STORE, .bytes = (uint8_t) bytes, .other = value, .mixes = mixes};
  if (value != NODE_NOTHING) {
    r.pieces = solver_add_node (s);
    solver_blur_into (s, value, r.pieces);
  }
  solver_add_rule (s, address, r);
}

static void visit_constraint_node (solver *s, uint32_t n) {
  cutoff_look ();
  target_set fresh = s->nodes.data[n].fresh;
  s->nodes.data[n].fresh = (target_set){0};
  s->nodes.data[n].waiting = false;
  s->num_waiting--;
  if (is_collapsed_node (s, n)) collapse_add_targets (s, &fresh);
  for (uint32_t k = 0; k < s->nodes.data[n].copies.count; k++)
    solver_add_targets (s, s->nodes.data[n].copies.data[k], &fresh);
  for (uint32_t k = 0; k < s->nodes.data[n].rules.count; k++) {
    pointsto_rule r = s->nodes.data[n].rules.data[k];
    apply_pointsto_rule (s, n, &r, &fresh);
  }
  set_release (&fresh);
}

// ---- waves --------------------------------------------------------------------------------------------

static bool should_unite_cycles (const solver *s) {
  enum { ONE_IN = 50 };
  return s->new_copies > s->copies.entries.count / ONE_IN;
}

void solver_run (solver *s) {
  while (s->num_waiting) {
    if (should_unite_cycles (s)) solver_unite_cycles (s);
    for (uint32_t k = 0; k < s->order.count; k++) {
      uint32_t n = s->order.data[k];
      if (s->nodes.data[n].waiting) visit_constraint_node (s, n);
      collapse_waiting_nodes (s);
    }
  }
}
