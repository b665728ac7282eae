// The effect of one edge.  An operation that may succeed or fail (trylock) has two outcomes with different results; a
// later branch on that result, or on a condition that was tested before, is then decided (conditional locking).
#include "engine/locks/states/states_impl.h"

#include "ir/sync.h"

enum { RESULT_BUSY = 16, RESULT_TIMED_OUT = 110, RESULT_AGAIN = 11 };

// ---- which lock --------------------------------------------------------------------------------------------
static ir_family family_of (ir_op op) {
  if (op == IR_STORE || op == IR_RMW || op == IR_CMPXCHG) return IR_NO_FAMILY;
  switch (ir_sync_of (op)->family) {
  case IR_F_RWLOCK: return IR_F_RWLOCK;
  case IR_F_SPIN: return IR_F_SPIN;
  case IR_F_ONCE: return IR_F_ONCE;
  case IR_F_SEM: return IR_F_SEM;
  default: return IR_F_MUTEX;
  }
}

static ir_proc proc_of (const lock_analysis *a, ir_edge e) {
  return ir_loc_at (a->program, ir_edge_at (a->program, e)->from)->proc;
}

lock_use edge_lock (lock_analysis *a, ir_edge e, unsigned arg, bool reads) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  term_address at = address_in (&a->values, proc_of (a, e), ir_arg (a->program, e, arg));
  return use_of (lock_named (&a->locks, family_of (d->op), at, (lock_site){e, arg, 0}), reads);
}

static lock_use atomic_lock (lock_analysis *a) {
  value_term nothing = value_const (&a->values, 1, 0);
  return use_of (lock_named (&a->locks, IR_F_REGION, (term_address){nothing, 0}, (lock_site){{IR_NONE}, 0, 0}), false);
}

// ---- tracked values ----------------------------------------------------------------------------------------
// Reduces a condition and its negation to one term and a sign.
lock_condition normal_condition (lock_analysis *a, value_term v) {
  bool negated = false;
  for (;;) {
    const value_node n = *value_node_at (&a->values, v);
    ir_value x;
    value_term left = {n.a}, right = {n.b};
    if (n.kind != V_OP) return (lock_condition){v, negated};
    if (n.op == IR_X_EQ && value_constant (&a->values, right, &x) && !x) {
      const value_node inner = *value_node_at (&a->values, left);
      if (inner.bits == 1) v = left;
      else if (inner.kind == V_OP && inner.op == IR_X_ZEXT &&
               value_node_at (&a->values, (value_term){inner.a})->bits == 1)
        v = (value_term){inner.a};
      else return (lock_condition){v, negated};
      negated = !negated;
    } else if (n.op == IR_X_NE || n.op == IR_X_SLE || n.op == IR_X_ULE) {
      bool swap = n.op != IR_X_NE;
      ir_expr_op op = n.op == IR_X_NE ? IR_X_EQ : n.op == IR_X_SLE ? IR_X_SLT : IR_X_ULT;
      v = value_apply (&a->values, op, 1, swap ? right : left, swap ? left : right);
      negated = !negated;
    } else if (n.op == IR_X_XOR && n.bits == 1 && value_constant (&a->values, right, &x) && x) {
      v = left;
      negated = !negated;
    } else return (lock_condition){v, negated};
  }
}

bool evaluate_tracked (lock_analysis *a, const effect *e, value_term v, ir_value *x) {
  if (v.i == VALUE_NONE) return false;
  if (value_constant (&a->values, v, x) || effect_tracked_value (e, v, x)) return true;
  const value_node n = *value_node_at (&a->values, v);
  if (n.kind != V_OP) return false;
  unsigned arity = ir_expr_arity ((ir_expr_op) n.op);
  ir_value args[3] = {0};
  uint32_t arg[3] = {n.a, n.b, n.c};
  for (unsigned k = 0; k < arity; k++)
    if (!evaluate_tracked (a, e, (value_term){arg[k]}, &args[k])) return false;
  unsigned operand_bits = value_node_at (&a->values, (value_term){arg[arity == 3 ? 1 : 0]})->bits;
  *x = ir_eval_op ((ir_expr_op) n.op, n.bits, operand_bits, args);
  return true;
}

static bool evaluate_condition (lock_analysis *a, const effect *e, lock_condition c, bool *holds) {
  ir_value x;
  if (!evaluate_tracked (a, e, c.term, &x)) return false;
  *holds = (x != 0) != c.negated;
  return true;
}

static void learn_condition (lock_analysis *a, effect *e, ir_proc f, lock_condition c) {
  if (value_is_tracked (a, f, c.term)) effect_track (e, c.term, !c.negated);
  const value_node n = *value_node_at (&a->values, c.term);
  ir_value x;
  if (n.kind == V_OP && n.op == IR_X_EQ && !c.negated && value_constant (&a->values, (value_term){n.b}, &x) &&
      value_is_tracked (a, f, (value_term){n.a}))
    effect_track (e, (value_term){n.a}, x);
}

static uint32_t step_assume (lock_analysis *a, ir_edge edge, effect *e) {
  ir_proc f = proc_of (a, edge);
  value_term v = value_of_expr (&a->values, f, ir_arg (a->program, edge, 0));
  if (v.i == VALUE_NONE) return 1;
  lock_condition c = normal_condition (a, v);
  bool holds;
  lock_use fact;
  if (flag_observed (a, edge, &fact)) e->facts = idset_add (&a->effects.sets, e->facts, fact.i);
  if (evaluate_condition (a, e, c, &holds)) return holds;
  learn_condition (a, e, f, c);
  return 1;
}

// ---- registers ----------------------------------------------------------------------------------------------
static void forget_results (lock_analysis *a, ir_edge edge, effect *e) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  ir_proc f = proc_of (a, edge);
  if (d->dst.i != IR_NONE) effect_kill_register (&a->effects, e, f, d->dst.i);
  if (d->dst2.i != IR_NONE) effect_kill_register (&a->effects, e, f, d->dst2.i);
}

static void learn_result (lock_analysis *a, ir_edge edge, effect *e, ir_value x) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  if (d->dst.i == IR_NONE) return;
  value_term r = value_reg (&a->values, proc_of (a, edge), d->dst.i);
  if (value_is_tracked (a, proc_of (a, edge), r)) effect_track (e, r, x);
}

static uint32_t step_assign (lock_analysis *a, ir_edge edge, effect *e) {
  ir_proc f = proc_of (a, edge);
  ir_value x;
  bool known = evaluate_tracked (a, e, value_assigned (&a->values, f, edge), &x);
  forget_results (a, edge, e);
  if (known) learn_result (a, edge, e, x);
  return 1;
}

// ---- synchronisation -----------------------------------------------------------------------------------------
static bool acquire_argument (lock_analysis *a, ir_edge edge, unsigned arg, bool reads, effect *e) {
  bool threaded = a->stable.threaded[ir_edge_at (a->program, edge)->from.i];
  return effect_acquire (&a->effects, e, edge_lock (a, edge, arg, reads), edge, threaded);
}

static void release_argument (lock_analysis *a, ir_edge edge, unsigned arg, effect *e) {
  effect_release (&a->effects, e, edge_lock (a, edge, arg, false));
}

// EDEADLK if the thread holds the lock already.
static bool acquire_may_fail (lock_analysis *a, ir_edge edge, bool reads) {
  return effect_relock_may_fail (&a->effects, edge_lock (a, edge, 0, reads));
}

static uint32_t step_acquire (lock_analysis *a, ir_edge edge, bool reads, effect *e) {
  if (!acquire_argument (a, edge, 0, reads, e)) return 0;
  forget_results (a, edge, e);
  if (!acquire_may_fail (a, edge, reads)) learn_result (a, edge, e, 0);
  return 1;
}

static void give_result (lock_analysis *a, ir_edge edge, effect *e, ir_value x) {
  forget_results (a, edge, e);
  learn_result (a, edge, e, x);
}

static uint32_t step_try (lock_analysis *a, ir_edge edge, bool reads, ir_value failure, effect after[EDGE_OUTCOMES]) {
  uint32_t count = 0;
  effect before = after[0];
  if (acquire_argument (a, edge, 0, reads, &after[0])) give_result (a, edge, &after[count++], 0);
  after[count] = before;
  forget_results (a, edge, &after[count]);
  if (failure == RESULT_BUSY || !acquire_may_fail (a, edge, reads)) learn_result (a, edge, &after[count], failure);
  return count + 1;
}

// Some kinds of mutexes refuse a release by a thread that does not hold them: EPERM.
static bool may_refuse (lock_analysis *a, ir_edge edge, effect *e) {
  lock_use u = edge_lock (a, edge, 0, false);
  const held_use *h = effect_find (e, u);
  bool recursive = lock_at (&a->locks, use_lock (u))->family == IR_F_MUTEX &&
                   lock_ever_may_be (&a->locks, use_lock (u), IR_MUTEX_RECURSIVE);
  return (recursive || effect_relock_may_fail (&a->effects, u)) && !(h && h->must);
}

static uint32_t effects_of_release (lock_analysis *a, ir_edge edge, effect *e) {
  bool refused = may_refuse (a, edge, e);
  release_argument (a, edge, 0, e);
  forget_results (a, edge, e);
  if (!refused) learn_result (a, edge, e, 0);
  return 1;
}

static void pass_once (lock_analysis *a, ir_edge edge, effect *e) {
  e->facts = idset_add (&a->effects.sets, e->facts, edge_lock (a, edge, 0, false).i);
}

static uint32_t step_once (lock_analysis *a, ir_edge edge, effect after[EDGE_OUTCOMES]) {
  after[1] = after[0];
  uint32_t runs = acquire_argument (a, edge, 0, false, &after[0]);
  if (runs) give_result (a, edge, &after[0], 1);
  else after[0] = after[1];
  pass_once (a, edge, &after[runs]);
  give_result (a, edge, &after[runs], 0);
  return runs + 1;
}

// A wait releases a recursive mutex fully, including what callers hold of it, and how often they do is not known here.
static uint32_t step_wait (lock_analysis *a, ir_edge edge, effect *e) {
  bool threaded = a->stable.threaded[ir_edge_at (a->program, edge)->from.i];
  lock_use u = edge_lock (a, edge, 1, false);
  if (lock_may_be (&a->locks, use_lock (u), IR_MUTEX_RECURSIVE, threaded)) {
    effect_release_fully (&a->effects, e, u);
    u = use_of (lock_unresolved (&a->locks, IR_F_MUTEX, (lock_site){edge, 1, 0}), false);
  }
  effect_release (&a->effects, e, u);
  return 1;
}

static uint32_t step_resume (lock_analysis *a, ir_edge edge, effect *e) {
  if (!acquire_argument (a, edge, 1, false, e)) return 0;
  forget_results (a, edge, e);
  return 1;
}

// ---- atomic variables as locks ---------------------------------------------------------------------------------
static void learn_success (lock_analysis *a, ir_edge edge, effect *e, bool success) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  if (d->dst2.i == IR_NONE) return;
  value_term r = value_reg (&a->values, proc_of (a, edge), d->dst2.i);
  if (value_is_tracked (a, proc_of (a, edge), r)) effect_track (e, r, success);
}

// Records that the old value was 0, or that it was not.
static void learn_was_free (lock_analysis *a, ir_edge edge, effect *e, bool free) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  if (d->dst.i == IR_NONE) return;
  value_term r = value_reg (&a->values, proc_of (a, edge), d->dst.i);
  unsigned bits = value_node_at (&a->values, r)->bits;
  value_term is_zero = value_apply (&a->values, IR_X_EQ, 1, r, value_const (&a->values, bits, 0));
  if (value_is_tracked (a, proc_of (a, edge), r) || value_is_tracked (a, proc_of (a, edge), is_zero))
    effect_track (e, is_zero, free);
}

static uint32_t step_cas_acquire (lock_analysis *a, ir_edge edge, bool exchange, effect after[EDGE_OUTCOMES]) {
  after[1] = after[0];
  uint32_t taken = acquire_argument (a, edge, 0, false, &after[0]);
  for (uint32_t k = 0; k < 2; k++) {
    effect *e = &after[k ? taken : 0];
    if (!k && !taken) continue;
    forget_results (a, edge, e);
    if (exchange) learn_was_free (a, edge, e, !k);
    else learn_success (a, edge, e, !k);
  }
  return taken + 1;
}

static uint32_t step_cas_lock (lock_analysis *a, ir_edge edge, cas_op op, effect after[EDGE_OUTCOMES]) {
  switch (op) {
  case CAS_ACQUIRE: return step_cas_acquire (a, edge, false, after);
  case CAS_ACQUIRE_BY_EXCHANGE: return step_cas_acquire (a, edge, true, after);
  case CAS_RELEASE_BY_STORE: release_argument (a, edge, 0, &after[0]); return 1;
  case CAS_RELEASE:
    after[1] = after[0];
    release_argument (a, edge, 0, &after[0]);
    for (uint32_t k = 0; k < 2; k++) {
      forget_results (a, edge, &after[k]);
      learn_success (a, edge, &after[k], !k);
    }
    return 2;
  default: forget_results (a, edge, &after[0]); return 1;
  }
}

// ---- by family and action -------------------------------------------------------------------------------------------
static uint32_t step_once_end (lock_analysis *a, ir_edge edge, effect *e) {
  release_argument (a, edge, 0, e);
  pass_once (a, edge, e);
  return 1;
}

static uint32_t step_region (lock_analysis *a, ir_edge edge, bool begins, effect *e) {
  bool threaded = a->stable.threaded[ir_edge_at (a->program, edge)->from.i];
  if (begins) return effect_acquire (&a->effects, e, atomic_lock (a), edge, threaded);
  effect_release (&a->effects, e, atomic_lock (a));
  return 1;
}

static uint32_t step_create (lock_analysis *a, ir_edge edge, effect *e) {
  effect_create (&a->effects, e, edge);
  forget_results (a, edge, e);
  return 1;
}

// Operations that neither acquire nor release a lock.
static uint32_t step_other (lock_analysis *a, ir_edge edge, effect *e) {
  forget_results (a, edge, e);
  return 1;
}

// A mutex, rwlock, spin lock, or a semaphore that is used as a lock.
static uint32_t step_lock_operation (lock_analysis *a, ir_edge edge, const ir_sync *s, effect after[EDGE_OUTCOMES]) {
  switch (s->action) {
  case IR_A_ACQUIRE: return step_acquire (a, edge, s->shared, &after[0]);
  case IR_A_TRY: return step_try (a, edge, s->shared, s->family == IR_F_SEM ? RESULT_AGAIN : RESULT_BUSY, after);
  case IR_A_TIMED: return step_try (a, edge, s->shared, RESULT_TIMED_OUT, after);
  case IR_A_RELEASE: return effects_of_release (a, edge, &after[0]);
  default: return step_other (a, edge, &after[0]);
  }
}

static uint32_t step_condition_variable (lock_analysis *a, ir_edge edge, const ir_sync *s, effect *e) {
  if (!s->names_mutex) return step_other (a, edge, e);
  return s->action == IR_A_WAIT ? step_wait (a, edge, e) : step_resume (a, edge, e);
}

static uint32_t step_synchronisation (lock_analysis *a, ir_edge edge, const ir_sync *s, effect after[EDGE_OUTCOMES]) {
  switch (s->family) {
  case IR_F_MUTEX:
  case IR_F_RWLOCK:
  case IR_F_SPIN: return step_lock_operation (a, edge, s, after);
  case IR_F_SEM:
    return semaphore_touched (a, edge) ? step_lock_operation (a, edge, s, after) : step_other (a, edge, &after[0]);
  case IR_F_COND: return step_condition_variable (a, edge, s, &after[0]);
  case IR_F_ONCE: return s->action == IR_A_ACQUIRE ? step_once (a, edge, after) : step_once_end (a, edge, &after[0]);
  case IR_F_REGION: return step_region (a, edge, s->action == IR_A_ACQUIRE, &after[0]);
  case IR_F_THREAD: return s->action == IR_A_START ? step_create (a, edge, &after[0]) : step_other (a, edge, &after[0]);
  default: return step_other (a, edge, &after[0]);
  }
}

uint32_t edge_effects (lock_analysis *a, ir_edge edge, const effect *before, effect after[EDGE_OUTCOMES]) {
  ir_op op = ir_edge_at (a->program, edge)->op;
  after[0] = *before;
  if (op == IR_ASSUME) return step_assume (a, edge, &after[0]);
  if (op == IR_ASSIGN) return step_assign (a, edge, &after[0]);
  if (ir_sync_of (op)->family != IR_NO_FAMILY) return step_synchronisation (a, edge, ir_sync_of (op), after);
  return step_cas_lock (a, edge, cas_op_of (a, edge), after);
}

bool edge_touches_locks (lock_analysis *a, ir_edge e) {
  const ir_sync *s = ir_sync_of (ir_edge_at (a->program, e)->op);
  bool sets_up = s->action == IR_A_INIT || s->action == IR_A_DESTROY || s->action == IR_A_READ;
  switch (s->family) {
  case IR_F_MUTEX:
  case IR_F_RWLOCK:
  case IR_F_SPIN: return !sets_up;
  case IR_F_SEM: return !sets_up && semaphore_touched (a, e);
  case IR_F_COND: return s->names_mutex;
  case IR_F_ONCE:
  case IR_F_REGION: return true;
  case IR_F_THREAD: return s->action == IR_A_START;
  default: return cas_op_of (a, e) != CAS_NONE;
  }
}

bool edge_releases (lock_analysis *a, ir_edge e, unsigned *arg) {
  const ir_sync *s = ir_sync_of (ir_edge_at (a->program, e)->op);
  *arg = s->action == IR_A_WAIT;
  if (s->action == IR_A_WAIT) return true;
  if (s->action == IR_A_RELEASE && ir_family_is_lock (s->family)) return true;
  if (s->action == IR_A_RELEASE && s->family == IR_F_SEM) return semaphore_touched (a, e);
  cas_op op = cas_op_of (a, e);
  return op == CAS_RELEASE_BY_STORE || op == CAS_RELEASE;
}
