// A spinning thread is not blocked, but it may never get on, so lock states alone cannot exclude a deadlock.  In each
// loop of a procedure, a fixpoint finds the registers that depend on loads of shared memory, on results of trylock, or
// on results of calls that load.  A branch on such a register that stays inside the loop is a possible busy wait.
#include "engine/locks/checks/checks_impl.h"

#include "base/scc.h"
#include "ir/sync.h"

// ---- loops -------------------------------------------------------------------------------------------------------
// [location]: number of its strongly connected component.  A location on no loop has a component of its own.
static uint32_t *circles_new (const ir_program *p) {
  uint32_t count = p->locs.count, *circle = mem_alloc (sizeof *circle * (count + 1)),
           *first = mem_alloc (sizeof *first * (count + 1));
  VEC (uint32_t) targets = {0};
  for (uint32_t l = 0; l < count; l++) {
    const ir_loc_data *d = &p->locs.data[l];
    first[l] = targets.count;
    for (uint32_t e = d->first_edge; e < d->first_edge + d->num_edges; e++)
      if (p->edges.data[e].to.i != IR_NONE) vec_push (&targets, p->edges.data[e].to.i);
  }
  first[count] = targets.count;
  scc_find (count, first, targets.data, circle);
  mem_free (first, sizeof *first * (count + 1));
  vec_release (&targets);
  return circle;
}

// ---- what a loop depends on ---------------------------------------------------------------------------------------
static bool loads_shared (const lock_analysis *a, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  if (d->op != IR_LOAD && d->op != IR_LOAD_RAW && d->op != IR_RMW && d->op != IR_CMPXCHG) return false;
  return !escape_private (a->escape, e, 0) && (d->op != IR_LOAD || !stable_load (&a->stable, e));
}

static bool tries (ir_op op) {
  ir_action action = ir_sync_of (op)->action;
  return action == IR_A_TRY || action == IR_A_READ;
}

typedef struct callee_query {
  const bool *looks;
  bool yes;
} callee_query;

static void ask_callee (void *user, ir_proc f) {
  callee_query *k = user;
  k->yes |= k->looks[f.i];
}

static bool reads_shared_state (const lock_analysis *a, const bool *looks, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  if (tries (d->op) || loads_shared (a, e)) return true;
  callee_query k = {looks, false};
  if (d->op == IR_CALL) for_each_callee (a, e, ask_callee, &k);
  return k.yes;
}

// [procedure]: it, or one that it calls, reads what other threads may change.
static bool *find_looking (const lock_analysis *a) {
  const ir_program *p = a->program;
  bool *looks = mem_zalloc (p->procs.count + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t e = 0; e < p->edges.count; e++) {
      uint32_t f = ir_loc_at (p, p->edges.data[e].from)->proc.i;
      if (!looks[f] && reads_shared_state (a, looks, (ir_edge){e})) looks[f] = changed = true;
    }
  }
  return looks;
}

static bool mentions_tainted (const ir_program *p, ir_expr x, const bool *regs) {
  const ir_expr_node *n = ir_expr_at (p, x);
  if (n->op == IR_X_REG) return regs[n->reg.i];
  for (unsigned k = 0; k < ir_expr_arity (n->op); k++)
    if (mentions_tainted (p, n->arg[k], regs)) return true;
  return false;
}

static bool taint (const lock_analysis *a, const bool *looks, ir_edge e, bool *regs) {
  const ir_program *p = a->program;
  const ir_edge_data *d = ir_edge_at (p, e);
  if (d->dst.i == IR_NONE || regs[d->dst.i]) return false;
  bool yes = reads_shared_state (a, looks, e) || (d->op == IR_ASSIGN && mentions_tainted (p, ir_arg (p, e, 0), regs));
  regs[d->dst.i] |= yes;
  if (d->dst2.i != IR_NONE) regs[d->dst2.i] |= yes;
  return yes;
}

// Goes over the edges inside loops of the procedure once; true if another register becomes tainted.
static bool taint_loop_registers (const lock_analysis *a, const bool *looks, ir_proc f, const uint32_t *circle,
                                  bool *regs, ir_edge *found) {
  const ir_program *p = a->program;
  const ir_proc_data *d = ir_proc_at (p, f);
  bool changed = false;
  for (uint32_t l = 0; l < d->locs.count; l++) {
    const ir_loc_data *loc = ir_loc_at (p, d->locs.data[l]);
    for (uint32_t e = loc->first_edge; e < loc->first_edge + loc->num_edges; e++) {
      uint32_t to = p->edges.data[e].to.i;
      if (to == IR_NONE || circle[to] != circle[d->locs.data[l].i]) continue;
      changed |= taint (a, looks, (ir_edge){e}, regs);
      if (p->edges.data[e].op == IR_ASSUME && mentions_tainted (p, ir_arg (p, (ir_edge){e}, 0), regs))
        *found = (ir_edge){e};
    }
  }
  return changed;
}

static bool runs_beside_others (const lock_analysis *a, ir_proc f) {
  ir_loc entry = ir_proc_at (a->program, f)->entry;
  for (uint32_t k = 0; k < threads_count (a->threads); k++)
    if (threads_runs (a->threads, k, entry)) return true;
  return false;
}

static ir_edge busy_in_proc (const lock_analysis *a, const bool *looks, ir_proc f, const uint32_t *circle) {
  uint32_t num_regs = ir_proc_at (a->program, f)->regs.count;
  bool *regs = mem_zalloc (num_regs + 1);
  ir_edge found = {IR_NONE};
  while (taint_loop_registers (a, looks, f, circle, regs, &found) && found.i == IR_NONE) {}
  mem_free (regs, num_regs + 1);
  return found;
}

ir_edge find_busy_waiting (lock_analysis *a) {
  const ir_program *p = a->program;
  uint32_t *circle = circles_new (p);
  bool *looks = find_looking (a);
  ir_edge found = {IR_NONE};
  for (uint32_t f = 0; f < p->procs.count && found.i == IR_NONE; f++)
    if (looks[f] && runs_beside_others (a, (ir_proc){f})) found = busy_in_proc (a, looks, (ir_proc){f}, circle);
  mem_free (looks, p->procs.count + 1);
  mem_free (circle, sizeof *circle * (p->locs.count + 1));
  return found;
}
