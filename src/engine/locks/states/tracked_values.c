// Which values are tracked along paths: conditions that are tested twice, flags, and results of operations on locks.
// Each is tracked only as far as some path still leads to a test of it: two paths that differ in nothing else become
// one there.
#include "base/limits.h"
#include "engine/locks/states/states_impl.h"
#include "ir/sync.h"

bool value_is_tracked (const lock_analysis *a, ir_proc f, value_term v) {
  const lock_summary *s = &a->summaries[f.i];
  for (uint32_t k = 0; k < s->tracked.count; k++)
    if (s->tracked.data[k] == v.i) return true;
  return false;
}

// ---- which procedures --------------------------------------------------------------------------------------
enum { ACQUIRES = 1, RELEASES = 2, NUM_ROUNDS = 8 };

static uint8_t role_of (lock_analysis *a, ir_edge e) {
  unsigned arg;
  ir_op op = ir_edge_at (a->program, e)->op;
  if (op == IR_THREAD_CREATE || !edge_touches_locks (a, e)) return 0;
  return ir_sync_of (op)->action == IR_A_RELEASE || edge_releases (a, e, &arg) ? RELEASES : ACQUIRES;
}

typedef struct roles {
  const uint8_t *known;
  uint8_t called;
} roles;

static void add_role (void *state, ir_proc callee) {
  roles *r = state;
  uint8_t role = r->known[callee.i];
  if (role == ACQUIRES || role == RELEASES) r->called |= role;
}

// A procedure that only acquires, or only releases, locks acts like its callers' own operations.  One that does both
// leaves its callers nothing to tell apart.
static bool add_roles_of_callees (lock_analysis *a, uint8_t *known) {
  bool changed = false;
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    const ir_edge_data *d = &a->program->edges.data[e];
    if (d->op != IR_CALL) continue;
    uint8_t *role = &known[ir_loc_at (a->program, d->from)->proc.i];
    roles r = {known, 0};
    for_each_callee (a, (ir_edge){e}, add_role, &r);
    changed |= (*role | r.called) != *role;
    *role |= r.called;
  }
  return changed;
}

static void find_roles (lock_analysis *a, uint8_t *known) {
  for (uint32_t e = 0; e < a->program->edges.count; e++)
    known[ir_loc_at (a->program, a->program->edges.data[e].from)->proc.i] |= role_of (a, (ir_edge){e});
  for (uint32_t round = 0; round < NUM_ROUNDS && add_roles_of_callees (a, known);) round++;
}

// ---- which values ------------------------------------------------------------------------------------------
static void add_tracked_term (lock_analysis *a, ir_proc f, value_term v) {
  if (!value_is_tracked (a, f, v) && !at_limit (LOCK_TRACKED, a->summaries[f.i].tracked.count))
    vec_push (&a->summaries[f.i].tracked, v.i);
}

static bool gives_result_with_locks (lock_analysis *a, ir_edge e) {
  return edge_touches_locks (a, e) || ir_edge_at (a->program, e)->op == IR_CALL;
}

// A register that gets constants on different paths (a flag), or the result of an operation on locks.
static bool is_flag (lock_analysis *a, ir_proc f, uint32_t reg) {
  const ir_program *p = a->program;
  const ir_proc_data *d = ir_proc_at (p, f);
  bool constants = false;
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
      if (p->edges.data[e].dst.i != reg && p->edges.data[e].dst2.i != reg) continue;
      if (gives_result_with_locks (a, (ir_edge){e})) return true;
      if (p->edges.data[e].op != IR_ASSIGN) return false;
      ir_expr_op op = ir_expr_at (p, ir_arg (p, (ir_edge){e}, 0))->op;
      if (op != IR_X_CONST && op != IR_X_REG) return false;
      constants |= op == IR_X_CONST;
    }
  }
  return constants;
}

static void track_flags (lock_analysis *a, ir_proc f, value_term v) {
  const value_node n = *value_node_at (&a->values, v);
  if (n.kind == V_REG && n.a == f.i && n.b >= ir_proc_at (a->program, f)->num_params && is_flag (a, f, n.b))
    add_tracked_term (a, f, v);
  if (n.kind != V_OP) return;
  uint32_t arg[3] = {n.a, n.b, n.c};
  for (unsigned k = 0; k < ir_expr_arity ((ir_expr_op) n.op); k++) track_flags (a, f, (value_term){arg[k]});
}

// A condition that is tested at two places can be true at one and false at the other only if it changed in between.
static void find_tracked_terms (lock_analysis *a, ir_proc f) {
  const ir_program *p = a->program;
  const ir_proc_data *d = ir_proc_at (p, f);
  map seen = {0};
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
    const ir_edge_data *first = loc->num_edges ? &p->edges.data[loc->first_edge] : NULL;
    if (!first || (first->op != IR_ASSUME && first->op != IR_RETURN) || !first->num_args) continue;
    value_term v = value_of_expr (&a->values, f, ir_arg (p, (ir_edge){loc->first_edge}, 0));
    if (v.i == VALUE_NONE) continue;
    track_flags (a, f, v);
    if (first->op == IR_RETURN) continue;
    lock_condition c = normal_condition (a, v);
    bool is_new;
    map_insert (&seen, c.term.i, 1, &is_new);
    if (!is_new) add_tracked_term (a, f, c.term);
  }
  map_release (&seen);
}

// ---- liveness of tracked terms -----------------------------------------------------------------------------
static bool term_contains (const lock_analysis *a, value_term term, value_term v) {
  if (term.i == v.i) return true;
  const value_node *n = value_node_at (&a->values, term);
  if (n->kind != V_OP) return false;
  uint32_t arg[3] = {n->a, n->b, n->c};
  for (unsigned k = 0; k < ir_expr_arity ((ir_expr_op) n->op); k++)
    if (term_contains (a, (value_term){arg[k]}, v)) return true;
  return false;
}

// The term that the edge evaluates; VALUE_NONE: it evaluates none that is tracked.
static value_term tested_by (lock_analysis *a, ir_proc f, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  value_term nothing = {VALUE_NONE};
  if ((d->op != IR_ASSUME && d->op != IR_RETURN && d->op != IR_ASSIGN) || !d->num_args) return nothing;
  if (d->op == IR_ASSIGN && !value_is_tracked (a, f, value_reg (&a->values, f, d->dst.i))) return nothing;
  value_term v = value_of_expr (&a->values, f, ir_arg (a->program, e, 0));
  return d->op == IR_ASSUME && v.i != VALUE_NONE ? normal_condition (a, v).term : v;
}

typedef struct transfer {
  uint64_t tested, changed;
} transfer;

static transfer transfer_of (lock_analysis *a, ir_proc f, ir_edge e) {
  const lock_summary *s = &a->summaries[f.i];
  const ir_edge_data *d = ir_edge_at (a->program, e);
  value_term term = tested_by (a, f, e);
  transfer t = {0};
  for (uint32_t k = 0; k < s->tracked.count; k++) {
    value_term v = {s->tracked.data[k]};
    if (term.i != VALUE_NONE && term_contains (a, term, v)) t.tested |= 1ull << k;
    if ((d->dst.i != IR_NONE && value_uses (&a->values, v, f, d->dst.i)) ||
        (d->dst2.i != IR_NONE && value_uses (&a->values, v, f, d->dst2.i)))
      t.changed |= 1ull << k;
  }
  return t;
}

static uint64_t live_before (lock_analysis *a, ir_proc f, ir_loc at) {
  const ir_loc_data *l = ir_loc_at (a->program, at);
  uint64_t live = 0;
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) {
    ir_loc to = a->program->edges.data[e].to;
    transfer t = transfer_of (a, f, (ir_edge){e});
    live |= t.tested | (to.i == IR_NONE ? 0 : a->live[to.i] & ~t.changed);
  }
  return live;
}

static void find_live_terms (lock_analysis *a, ir_proc f) {
  const ir_proc_data *d = ir_proc_at (a->program, f);
  for (bool changed = a->summaries[f.i].tracked.count > 0; changed;) {
    changed = false;
    for (uint32_t k = d->locs.count; k-- > 0;) {
      uint64_t live = live_before (a, f, d->locs.data[k]);
      changed |= live != a->live[d->locs.data[k].i];
      a->live[d->locs.data[k].i] = live;
    }
  }
}

void find_tracked_values (lock_analysis *a) {
  uint32_t procs = a->program->procs.count;
  uint8_t *known = mem_zalloc (procs + 1);
  find_roles (a, known);
  for (uint32_t f = 0; f < procs; f++) {
    if (a->summaries[f].neutral || !known[f]) continue;
    find_tracked_terms (a, (ir_proc){f});
    find_live_terms (a, (ir_proc){f});
  }
  mem_free (known, procs + 1);
}

// The tracked term contains the register that the live term is: the same branches test it.
static bool term_is_about (const lock_analysis *a, ir_proc f, value_term known, value_term wanted) {
  const value_node *n = value_node_at (&a->values, wanted);
  return known.i == wanted.i || (n->kind == V_REG && value_uses (&a->values, known, f, n->b));
}

void drop_dead_values (const lock_analysis *a, ir_loc at, effect *e) {
  ir_proc f = ir_loc_at (a->program, at)->proc;
  const lock_summary *s = &a->summaries[f.i];
  uint32_t kept = 0;
  for (uint32_t n = 0; n < e->num_tracked; n++) {
    bool live = false;
    for (uint32_t k = 0; k < s->tracked.count && !live; k++)
      live = a->live[at.i] >> k & 1 &&
             term_is_about (a, f, (value_term){e->tracked[n].value}, (value_term){s->tracked.data[k]});
    if (live) e->tracked[kept++] = e->tracked[n];
  }
  e->num_tracked = kept;
}
