// Forward substitution: replaces uses of a register by the value of the assign that defines it.
//
// Let d = x be an assign at location l, the only definition of d, and u a location that uses d and is dominated by l.
// Then d at u has the value that x had when the execution last passed l.  Each register r in x has the same value at u
// as at l if
//   - r has at most one definition (a parameter has one at the entry), and that definition dominates l.  Suppose an
//     execution passed the definition again between l and u: since it dominates l, it can be reached from the entry
//     without passing l, and so could u; but l dominates u; or
//   - going back from u along locations with a single incoming edge leads to l without passing a definition of r.
// This holds for programs in any form; programs from clang are in SSA form except where phis became assigns.
//
// Locations are visited in reverse postorder, so a value is itself substituted into before it is substituted.  A value
// that is used often is substituted only if it is small, and no operand grows beyond GROWN_SIZE nodes.
#include <string.h>

#include "ir/simplify_impl.h"

enum {
  GROWN_SIZE = 40,  // number of nodes of an operand after substitution
  SMALL_SIZE = 3,
  SMALL_USES = 4,     // number of uses that a value of SMALL_SIZE nodes may be substituted for
  WALK_EDGES = 64,    // number of edges followed back from a use
  UNSTABLE_ROOM = 8,  // number of registers with several definitions in one value
};

typedef struct definition {
  uint32_t count;  // number of edges that define the register; a parameter has one more
  ir_loc loc;      // location of the last such edge; IR_NONE: only the entry defines it
  ir_expr value;   // value of its assign, if that is its only definition and was visited; or IR_NONE
  uint32_t uses;   // number of uses in operands, without names
  ir_loc use_loc;  // location of all uses; IR_NONE if there are several
} definition;

typedef struct ir_substitution {
  ir_program *p;
  ir_flow *flow;
  definition *defs;  // per register
  ir_loc at;         // location of the edge being rewritten
  uint32_t size;     // number of nodes of the operand being rewritten
  bool changed;
} ir_substitution;

// ---- facts -------------------------------------------------------------------------------------------------------

static void count_register_uses (ir_substitution *s, ir_expr x, ir_loc at) {
  const ir_expr_node *n = ir_expr_at (s->p, x);
  if (n->op == IR_X_REG) {
    definition *d = &s->defs[n->reg.i];
    d->use_loc.i = !d->uses || d->use_loc.i == at.i ? at.i : IR_NONE;
    d->uses++;
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++) count_register_uses (s, n->arg[k], at);
}

static void count_definition (ir_substitution *s, ir_reg r, ir_loc at) {
  if (r.i == IR_NONE) return;
  s->defs[r.i].count++;
  s->defs[r.i].loc = at;
}

static void collect_facts (ir_substitution *s, const ir_proc_data *f) {
  for (uint32_t r = 0; r < f->regs.count; r++)
    s->defs[r] = (definition){.count = r < f->num_params, .loc = {IR_NONE}, .value = {IR_NONE}, .use_loc = {IR_NONE}};
  for (uint32_t i = 0; i < s->flow->order.count; i++) {
    const ir_loc_data *l = ir_loc_at (s->p, s->flow->order.data[i]);
    for (uint32_t k = l->first_edge; k < l->first_edge + l->num_edges; k++) {
      const ir_edge_data *e = &s->p->edges.data[k];
      for (uint32_t a = 0; a < e->num_args; a++) count_register_uses (s, s->p->args.data[e->first_arg + a], e->from);
      count_definition (s, e->dst, e->from);
      count_definition (s, e->dst2, e->from);
    }
  }
}

// ---- may the value of d be substituted at s->at? --------------------------------------------------------------------

// Is the value small enough, or used rarely enough?  Both edges of a branch test the same value, which counts as one
// use.
static bool is_worth (const ir_substitution *s, const definition *d) {
  unsigned size = s->p->tables->size.data[d->value.i];
  if (size == 1 || d->uses <= 1) return true;
  if (d->uses == 2 && d->use_loc.i != IR_NONE && ir_loc_at (s->p, d->use_loc)->num_edges == 2) return true;
  return size <= SMALL_SIZE && d->uses <= SMALL_USES;
}

static bool is_stable (const ir_substitution *s, uint32_t r, ir_loc since) {
  const definition *d = &s->defs[r];
  if (d->count == 0 || (d->count == 1 && d->loc.i == IR_NONE)) return true;
  return d->count == 1 && d->loc.i != since.i && ir_flow_dominates (s->flow, d->loc, since);
}

typedef struct reg_list {
  uint32_t regs[UNSTABLE_ROOM], count;
} reg_list;

// Lists the registers of x that need the second condition above.  False: there are too many.
static bool list_unstable (const ir_substitution *s, ir_expr x, ir_loc since, reg_list *list) {
  const ir_expr_node *n = ir_expr_at (s->p, x);
  if (n->op == IR_X_REG && !is_stable (s, n->reg.i, since)) {
    if (list->count == UNSTABLE_ROOM) return false;
    list->regs[list->count++] = n->reg.i;
  }
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (!list_unstable (s, n->arg[k], since, list)) return false;
  return true;
}

static bool defines_one (const ir_edge_data *e, const reg_list *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (e->dst.i == list->regs[i] || e->dst2.i == list->regs[i]) return true;
  return false;
}

static bool is_clear_path (const ir_substitution *s, ir_loc from, const reg_list *list) {
  ir_loc at = s->at;
  for (unsigned steps = 0; steps < WALK_EDGES; steps++) {
    ir_edge in = ir_flow_only_in (s->flow, at);
    if (in.i == IR_NONE) return false;
    const ir_edge_data *e = ir_edge_at (s->p, in);
    if (defines_one (e, list)) return false;  // also if e is the assign itself: d = d + 1
    if (e->from.i == from.i) return true;
    at = e->from;
  }
  return false;
}

static bool can_move_value (const ir_substitution *s, const definition *d) {
  if (d->count != 1 || d->value.i == IR_NONE || d->loc.i == s->at.i || !is_worth (s, d)) return false;
  if (s->size + s->p->tables->size.data[d->value.i] - 1 > GROWN_SIZE) return false;
  if (!ir_flow_dominates (s->flow, d->loc, s->at)) return false;
  reg_list unstable = {.count = 0};
  if (!list_unstable (s, d->value, d->loc, &unstable)) return false;
  return !unstable.count || is_clear_path (s, d->loc, &unstable);
}

// ---- rewriting ---------------------------------------------------------------------------------------------------

static ir_expr rewrite_expr (ir_substitution *s, ir_expr x) {
  ir_expr_node n = *ir_expr_at (s->p, x);
  if (n.op == IR_X_REG) {
    const definition *d = &s->defs[n.reg.i];
    if (!can_move_value (s, d)) return x;
    s->size += s->p->tables->size.data[d->value.i] - 1;
    s->changed = true;
    return d->value;
  }
  bool same = true;
  ir_expr args[3];
  unsigned arity = ir_expr_arity (n.op);
  for (unsigned k = 0; k < arity; k++) {
    args[k] = rewrite_expr (s, n.arg[k]);
    same &= args[k].i == n.arg[k].i;
  }
  return same ? x : ir_rebuild (s->p, x, args);
}

static void rewrite_list (ir_substitution *s, uint32_t first, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    ir_expr x = s->p->args.data[first + k];
    s->size = s->p->tables->size.data[x.i];
    if (s->size <= GROWN_SIZE) s->p->args.data[first + k] = rewrite_expr (s, x);
  }
}

bool simplify_uses (ir_program *p, ir_flow *flow, ir_proc f) {
  const ir_proc_data *d = ir_proc_at (p, f);
  size_t bytes = d->regs.count * sizeof (definition);
  ir_substitution s = {.p = p, .flow = flow, .defs = mem_alloc (bytes)};
  ir_flow_compute (flow, f);
  collect_facts (&s, d);
  for (uint32_t i = 0; i < flow->order.count; i++) {
    s.at = flow->order.data[i];
    const ir_loc_data *l = ir_loc_at (p, s.at);
    for (uint32_t k = l->first_edge; k < l->first_edge + l->num_edges; k++) {
      const ir_edge_data *e = &p->edges.data[k];
      rewrite_list (&s, e->first_arg, e->num_args);
      rewrite_list (&s, e->first_name_arg, e->num_name_args);
      if (e->op == IR_ASSIGN && s.defs[e->dst.i].count == 1) s.defs[e->dst.i].value = p->args.data[e->first_arg];
    }
  }
  mem_free (s.defs, bytes);
  return s.changed;
}
