// Finds branches that do not matter after the place where they join again.  Whichever way `if (failed) puts ("oh");`
// goes, the thread comes to that place and has changed nothing for other threads.  A condition of such a branch is no
// condition of what happens after the join; only the registers and static bytes that one of the ways writes depend on
// it.
//
// The region of a branch is everything between it and its immediate postdominator in the procedure, with the bodies of
// called functions.  Operations of a harmless region may compute, read, print, and store to static objects by name, but
// neither synchronise nor end the thread, nor store through a pointer.  A failing check does not count as a way to the
// join: with the value that leads there, another requested violation is found.  A loop must advance: the loop changes
// the address of each of its loads and counts some register, so it ends or leaves its object; a loop that waits for a
// value does not count as one that ends.  (Denning and Denning, CACM 20(7), 1977, section 3.)
#include "base/limits.h"
#include "verdict/verdict_impl.h"

typedef struct region {
  const ir_program *p;
  uint32_t properties;  // requested
  VEC (ir_loc) locs;    // in the order found
  map seen;
} region;

typedef struct scope_search {
  const ir_program *p;
  uint32_t properties;
  branch_scope *out;
  unsigned depth;  // of calls
} scope_search;

// ---- the locations between -----------------------------------------------------------------------------
static void add_region_location (region *g, ir_loc l) {
  bool is_new;
  map_insert (&g->seen, l.i, 0, &is_new);
  if (is_new) vec_push (&g->locs, l);
}

static void region_release (region *g) {
  vec_release (&g->locs);
  map_release (&g->seen);
}

static const ir_edge_data *edge_of_location (const ir_program *p, ir_loc l, uint32_t k) {
  return &p->edges.data[ir_loc_at (p, l)->first_edge + k];
}

static bool is_failing_check (const region *g, const ir_edge_data *d) {
  if (d->op != IR_CHECK || !(g->properties >> d->aux & 1)) return false;
  const ir_expr_node *n = ir_expr_at (g->p, g->p->args.data[d->first_arg]);
  return n->op == IR_X_CONST && !n->value;
}

// Collects all locations that can be reached from `from` without passing `join`.  False: there are too many, or (with a
// join) a return is reached.
static bool collect_region (region *g, ir_loc from, ir_loc join, bool passes_first) {
  vec_clear (&g->locs);
  map_clear (&g->seen);
  if (passes_first) add_region_location (g, from);
  for (uint32_t i = 0, first = !passes_first; first || i < g->locs.count;) {
    ir_loc l = first ? from : g->locs.data[i++];
    first = 0;
    for (uint32_t k = 0; k < ir_loc_at (g->p, l)->num_edges; k++) {
      const ir_edge_data *d = edge_of_location (g->p, l, k);
      if (d->op == IR_RETURN && join.i != IR_NONE) return false;
      if (is_failing_check (g, d)) continue;
      if (d->to.i != IR_NONE && d->to.i != join.i) add_region_location (g, d->to);
    }
    if (over_limit (SCOPE_LOCATIONS, g->locs.count)) return false;
  }
  return true;
}

// Finds the nearest location through which all paths from the branch to a return lead; IR_NONE: the return itself.
static bool find_join (region *g, ir_loc branch, ir_loc *join) {
  VEC (ir_loc) candidates = {0};
  *join = (ir_loc){IR_NONE};
  bool good = collect_region (g, branch, *join, false);
  for (uint32_t i = 0; i < g->locs.count && !at_limit (SCOPE_TRIES, i); i++) vec_push (&candidates, g->locs.data[i]);
  for (uint32_t i = 0; i < candidates.count && join->i == IR_NONE; i++)
    if (candidates.data[i].i != branch.i && collect_region (g, branch, candidates.data[i], false))
      *join = candidates.data[i];
  if (join->i == IR_NONE && good) good = collect_region (g, branch, *join, false);
  vec_release (&candidates);
  return good || join->i != IR_NONE;
}

// ---- what stands there ---------------------------------------------------------------------------------
static bool mentions_any (const ir_program *p, ir_expr x, const map *regs) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op == IR_X_REG) return map_find (regs, n->reg.i) != NULL;
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (mentions_any (p, n->arg[k], regs)) return true;
  return false;
}

// reg = reg + constant
static bool is_counting_assignment (const ir_program *p, const ir_edge_data *d) {
  if (d->op != IR_ASSIGN) return false;
  const ir_expr_node *n = ir_expr_at (p, p->args.data[d->first_arg]);
  if (n->op != IR_X_ADD && n->op != IR_X_SUB) return false;
  for (unsigned k = 0; k < 2; k++)
    if (ir_expr_at (p, n->arg[k])->op == IR_X_CONST && ir_expr_at (p, n->arg[k])->value) return true;
  return false;
}

static bool lies_on_cycle (region *g, ir_loc from, ir_loc join) {
  return collect_region (g, from, join, false) && map_find (&g->seen, from.i);
}

// Whether each location on a cycle belongs to a loop that advances.
static bool loops_advance (const region *all, ir_loc join) {
  const ir_program *p = all->p;
  region one = {.p = p, .properties = all->properties};
  map assigned = {0};
  bool cycle = false, count = false, fixed = false;
  for (uint32_t i = 0; i < all->locs.count; i++) {
    const ir_edge_data *d = edge_of_location (p, all->locs.data[i], 0);
    if (!lies_on_cycle (&one, all->locs.data[i], join)) continue;
    cycle = true;
    count |= is_counting_assignment (p, d);
    if (d->dst.i != IR_NONE) map_insert (&assigned, d->dst.i, 0, NULL);
  }
  for (uint32_t i = 0; i < all->locs.count && cycle; i++) {
    const ir_edge_data *d = edge_of_location (p, all->locs.data[i], 0);
    bool loads = d->op == IR_LOAD || d->op == IR_LOAD_RAW;
    if (loads && lies_on_cycle (&one, all->locs.data[i], join))
      fixed |= !mentions_any (p, p->args.data[d->first_arg], &assigned);
  }
  region_release (&one);
  map_release (&assigned);
  return !cycle || (count && !fixed);
}

static bool body_is_harmless (scope_search *f, ir_proc callee);

static bool call_is_harmless (scope_search *f, const ir_edge_data *d) {
  const ir_expr_node *n = ir_expr_at (f->p, f->p->args.data[d->first_arg]);
  ir_proc callee = n->op == IR_X_ADDR && !n->offset ? ir_object_at (f->p, n->object)->proc : (ir_proc){IR_NONE};
  return callee.i != IR_NONE && !at_limit (SCOPE_CALLS, f->depth) && body_is_harmless (f, callee);
}

static bool store_is_harmless (scope_search *f, const ir_edge_data *d) {
  const ir_expr_node *n = ir_expr_at (f->p, f->p->args.data[d->first_arg]);
  if (n->op != IR_X_ADDR) return false;
  vec_push (&f->out->stores, ((static_bytes){n->object, n->offset, d->bytes}));
  return true;
}

static bool edge_is_harmless (scope_search *f, const ir_edge_data *d) {
  switch (d->op) {
  case IR_NOP:
  case IR_ASSUME:
  case IR_ASSIGN:
  case IR_NONDET:
  case IR_LOAD:
  case IR_LOAD_RAW:
  case IR_ALLOC:
  case IR_OBJECT_SIZE:
  case IR_THREAD_SELF:
  case IR_STACK_SAVE:
  case IR_STACK_RESTORE:
  case IR_FENCE:
  case IR_RETURN:
  case IR_OUTPUT: return true;
  case IR_CHECK: return f->properties >> d->aux & 1;
  case IR_STORE: return store_is_harmless (f, d);
  case IR_CALL: return call_is_harmless (f, d);
  default: return false;
  }
}

static bool region_is_harmless (scope_search *f, const region *g, ir_loc join) {
  for (uint32_t i = 0; i < g->locs.count; i++) {
    const ir_loc_data *l = ir_loc_at (f->p, g->locs.data[i]);
    for (uint32_t k = 0; k < l->num_edges; k++) {
      const ir_edge_data *d = edge_of_location (f->p, g->locs.data[i], k);
      if (!edge_is_harmless (f, d) || (d->op == IR_ASSUME && l->num_edges == 1)) return false;
      for (unsigned r = 0; r < 2 && !f->depth; r++)
        if ((r ? d->dst2 : d->dst).i != IR_NONE) vec_push (&f->out->regs, r ? d->dst2 : d->dst);
    }
  }
  return loops_advance (g, join);
}

static bool body_is_harmless (scope_search *f, ir_proc callee) {
  region g = {.p = f->p, .properties = f->properties};
  ir_loc end = {IR_NONE};
  f->depth++;
  bool good = collect_region (&g, ir_proc_at (f->p, callee)->entry, end, true) && region_is_harmless (f, &g, end);
  f->depth--;
  region_release (&g);
  return good;
}

// ---- the branch ----------------------------------------------------------------------------------------
void scope_find (const ir_program *p, uint32_t properties, ir_loc branch, branch_scope *out) {
  region g = {.p = p, .properties = properties};
  scope_search f = {.p = p, .properties = properties, .out = out};
  *out = (branch_scope){.join = {IR_NONE}};
  out->harmless = ir_loc_at (p, branch)->num_edges > 1 && find_join (&g, branch, &out->join) &&
                  region_is_harmless (&f, &g, out->join);
  region_release (&g);
}

void scope_release (branch_scope *s) {
  vec_release (&s->regs);
  vec_release (&s->stores);
}
