// Checks of --property=overflow: a CHECK edge before every edge that computes a value that is undefined in C: signed
// overflow, division by zero, a shift by too many bits.  Checks of divisions are added without the property, too: a
// processor stops at such a division, so no execution continues after it (docs/decisions/undefined-behaviour.md).
//
// Checks are added per location, before all its edges (the edges of a branch read the same values).  An operation
// inside a branch of `ite` is checked only if that branch is taken: the condition of the branch guards the check.
#include "base/map.h"
#include "ir/ir_impl.h"

typedef struct condition {
  ir_expr holds;
  const char *message;
} condition;

typedef struct overflow {
  ir_program *p;
  bool only_divisions;
  VEC (condition) conditions;  // conditions to check at the current location, those of inner operations first
  map seen;                    // (operation, guard) pairs already visited at this location
} overflow;

// Adds the condition that `guard` implies `holds`.
static void add_overflow_condition (overflow *o, ir_expr guard, ir_expr holds, const char *message) {
  ir_program *p = o->p;
  ir_expr x = ir_binary (p, IR_X_OR, ir_not (p, guard), holds);
  if (ir_expr_at (p, x)->op == IR_X_CONST && ir_expr_at (p, x)->value) return;
  for (uint32_t i = 0; i < o->conditions.count; i++)
    if (o->conditions.data[i].holds.i == x.i) return;
  vec_push (&o->conditions, ((condition){x, message}));
}

static void require_division (overflow *o, ir_expr guard, const ir_expr_node *n) {
  ir_program *p = o->p;
  unsigned bits = n->bits;
  add_overflow_condition (o, guard, ir_binary (p, IR_X_NE, n->arg[1], ir_const (p, bits, 0)), "division by zero");
  if (n->op != IR_X_SDIV && n->op != IR_X_SREM) return;
  ir_expr least = ir_binary (p, IR_X_NE, n->arg[0], ir_const (p, bits, (ir_value) 1 << (bits - 1)));
  ir_expr minus_one = ir_binary (p, IR_X_NE, n->arg[1], ir_const (p, bits, ir_mask (bits)));
  add_overflow_condition (o, guard, ir_binary (p, IR_X_OR, least, minus_one), "signed overflow in division");
}

static void require_shift (overflow *o, ir_expr guard, const ir_expr_node *n) {
  ir_program *p = o->p;
  add_overflow_condition (o, guard, ir_binary (p, IR_X_ULT, n->arg[1], ir_const (p, n->bits, n->bits)),
                          "shift by too many bits");
  if (!n->nsw) return;
  ir_expr up = ir_binary (p, IR_X_SHL, n->arg[0], n->arg[1]);
  add_overflow_condition (o, guard, ir_binary (p, IR_X_EQ, ir_binary (p, IR_X_ASHR, up, n->arg[1]), n->arg[0]),
                          "signed overflow in shift");
}

static void require_operation (overflow *o, ir_expr guard, const ir_expr_node *n) {
  ir_program *p = o->p;
  bool is_division = n->op == IR_X_UDIV || n->op == IR_X_SDIV || n->op == IR_X_UREM || n->op == IR_X_SREM;
  bool is_negation =
      n->op == IR_X_SUB && ir_expr_at (p, n->arg[0])->op == IR_X_CONST && !ir_expr_at (p, n->arg[0])->value;
  if (o->only_divisions && !is_division) return;
  switch (n->op) {
  case IR_X_ADD:
    if (n->nsw)
      add_overflow_condition (o, guard, ir_not (p, ir_binary (p, IR_X_SADDO, n->arg[0], n->arg[1])),
                              "signed overflow in addition");
    return;
  case IR_X_SUB:
    if (n->nsw)
      add_overflow_condition (o, guard, ir_not (p, ir_binary (p, IR_X_SSUBO, n->arg[0], n->arg[1])),
                              is_negation ? "signed overflow in negation" : "signed overflow in subtraction");
    return;
  case IR_X_MUL:
    if (n->nsw)
      add_overflow_condition (o, guard, ir_not (p, ir_binary (p, IR_X_SMULO, n->arg[0], n->arg[1])),
                              "signed overflow in multiplication");
    return;
  case IR_X_UDIV:
  case IR_X_SDIV:
  case IR_X_UREM:
  case IR_X_SREM: require_division (o, guard, n); return;
  case IR_X_SHL:
  case IR_X_LSHR:
  case IR_X_ASHR: require_shift (o, guard, n); return;
  default: return;
  }
}

static void collect_overflow_conditions (overflow *o, ir_expr x, ir_expr guard) {
  ir_program *p = o->p;
  bool is_new;
  if (!p->tables->can_fail.data[x.i]) return;
  map_insert (&o->seen, (uint64_t) x.i << 32 | guard.i, 0, &is_new);
  if (!is_new) return;
  ir_expr_node n = *ir_expr_at (p, x);
  collect_overflow_conditions (o, n.arg[0], guard);
  if (n.op == IR_X_ITE) {
    collect_overflow_conditions (o, n.arg[1], ir_binary (p, IR_X_AND, guard, n.arg[0]));
    collect_overflow_conditions (o, n.arg[2], ir_binary (p, IR_X_AND, guard, ir_not (p, n.arg[0])));
    return;
  }
  if (ir_expr_arity (n.op) == 2) collect_overflow_conditions (o, n.arg[1], guard);
  require_operation (o, guard, &n);
}

// Adds the checks between the location and its edges: the checks start at l, and the edges at the end of the checks.
static void insert_checks (overflow *o, ir_loc l, uint32_t first_edge, uint32_t num_edges) {
  ir_program *p = o->p;
  ir_proc f = ir_loc_at (p, l)->proc;
  ir_position pos = p->edges.data[first_edge].pos;
  ir_loc at = l;
  for (uint32_t i = 0; i < o->conditions.count; i++) {
    ir_loc next = ir_add_loc (p, f);
    ir_edge e = ir_add_edge (p, IR_CHECK, at, next);
    ir_add_arg (p, e, o->conditions.data[i].holds);
    ir_edge_data *d = ir_edge_at (p, e);
    d->aux = IR_P_OVERFLOW;
    d->message = o->conditions.data[i].message;
    d->pos = pos;
    at = next;
  }
  for (uint32_t e = first_edge; e < first_edge + num_edges; e++) p->edges.data[e].from = at;
}

static void add_checks (ir_program *p, bool only_divisions) {
  overflow o = {.p = p, .only_divisions = only_divisions};
  ir_finish (p);
  ir_expr always = ir_const (p, 1, 1);
  uint32_t num_locs = p->locs.count;
  for (uint32_t l = 0; l < num_locs; l++) {
    uint32_t first = p->locs.data[l].first_edge, count = p->locs.data[l].num_edges;
    vec_clear (&o.conditions);
    if (o.seen.entries.count) map_clear (&o.seen);
    for (uint32_t e = first; e < first + count; e++)
      for (uint32_t k = 0; k < p->edges.data[e].num_args; k++)
        collect_overflow_conditions (&o, p->args.data[p->edges.data[e].first_arg + k], always);
    if (o.conditions.count) insert_checks (&o, (ir_loc){l}, first, count);
  }
  vec_release (&o.conditions);
  map_release (&o.seen);
  ir_finish (p);
}

void ir_add_overflow_checks (ir_program *p) { add_checks (p, false); }
void ir_add_division_checks (ir_program *p) { add_checks (p, true); }
