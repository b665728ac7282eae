// One edge's effect.  Operations that may succeed or fail (trylock) go on in two ways, told apart by their result; a branch
// on that result, or on a condition that was tested before, is then decided (conditional locking).
#include "engine/locks/analysis.h"

#include "engine/locks/cell.h"
#include "engine/locks/flag.h"
#include "engine/locks/knowledge.h"
#include "engine/locks/semaphore.h"

enum { RESULT_BUSY = 16, RESULT_TIMED_OUT = 110, RESULT_AGAIN = 11 };

// ---- which lock --------------------------------------------------------------------------------------------
static lock_family family_of (ir_op op) {
  if (op >= IR_RW_INIT && op <= IR_RW_DESTROY) return LOCK_RW;
  if (op >= IR_SPIN_INIT && op <= IR_SPIN_DESTROY) return LOCK_SPIN;
  if (op == IR_ONCE_BEGIN || op == IR_ONCE_END) return LOCK_ONCE;
  if (op == IR_STORE || op == IR_RMW || op == IR_CMPXCHG) return LOCK_CELL;
  if (is_semaphore_op (op)) return LOCK_SEMAPHORE;
  return LOCK_MUTEX;
}

static ir_proc proc_of (const lock_analysis *a, ir_edge e) {
  return ir_loc_at (a->program, ir_edge_at (a->program, e)->from)->proc;
}

lock_use step_lock (lock_analysis *a, ir_edge e, unsigned arg, bool reads) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  address at = address_in (&a->values, proc_of (a, e), ir_arg (a->program, e, arg));
  return use_of (lock_named (&a->locks, family_of (d->op), at, (lock_site){e, arg, 0}), reads);
}

static lock_use atomic_lock (lock_analysis *a) {
  value nothing = value_const (&a->values, 1, 0);
  return use_of (lock_named (&a->locks, LOCK_ATOMIC, (address){nothing, 0}, (lock_site){{IR_NONE}, 0, 0}), false);
}

// ---- known values ------------------------------------------------------------------------------------------
// Conditions come in pairs, one the negation of the other; both are reduced to one term and a sign.
condition step_condition (lock_analysis *a, value v) {
  bool negated = false;
  for (;;) {
    const value_node n = *value_at (&a->values, v);
    ir_value x;
    value left = {n.a}, right = {n.b};
    if (n.kind != V_OP) return (condition){v, negated};
    if (n.op == IR_X_EQ && value_constant (&a->values, right, &x) && !x) {
      const value_node inner = *value_at (&a->values, left);
      if (inner.bits == 1) v = left;
      else if (inner.kind == V_OP && inner.op == IR_X_ZEXT && value_at (&a->values, (value){inner.a})->bits == 1)
        v = (value){inner.a};
      else return (condition){v, negated};
      negated = !negated;
    } else if (n.op == IR_X_NE || n.op == IR_X_SLE || n.op == IR_X_ULE) {
      bool swap = n.op != IR_X_NE;
      ir_expr_op op = n.op == IR_X_NE ? IR_X_EQ : n.op == IR_X_SLE ? IR_X_SLT : IR_X_ULT;
      v = value_apply (&a->values, op, 1, swap ? right : left, swap ? left : right);
      negated = !negated;
    } else if (n.op == IR_X_XOR && n.bits == 1 && value_constant (&a->values, right, &x) && x) {
      v = left;
      negated = !negated;
    } else return (condition){v, negated};
  }
}

bool step_evaluate (lock_analysis *a, const effect *e, value v, ir_value *x) {
  if (v.i == VALUE_NONE) return false;
  if (value_constant (&a->values, v, x) || effect_knows (e, v, x)) return true;
  const value_node n = *value_at (&a->values, v);
  if (n.kind != V_OP) return false;
  unsigned arity = ir_expr_arity ((ir_expr_op) n.op);
  ir_value args[3] = {0};
  uint32_t arg[3] = {n.a, n.b, n.c};
  for (unsigned k = 0; k < arity; k++)
    if (!step_evaluate (a, e, (value){arg[k]}, &args[k])) return false;
  unsigned operand_bits = value_at (&a->values, (value){arg[arity == 3 ? 1 : 0]})->bits;
  *x = ir_eval_op ((ir_expr_op) n.op, n.bits, operand_bits, args);
  return true;
}

static bool evaluate_condition (lock_analysis *a, const effect *e, condition c, bool *holds) {
  ir_value x;
  if (!step_evaluate (a, e, c.term, &x)) return false;
  *holds = (x != 0) != c.negated;
  return true;
}

static void learn_condition (lock_analysis *a, effect *e, ir_proc f, condition c) {
  if (knowledge_wants (a, f, c.term)) effect_learn (e, c.term, !c.negated);
  const value_node n = *value_at (&a->values, c.term);
  ir_value x;
  if (n.kind == V_OP && n.op == IR_X_EQ && !c.negated && value_constant (&a->values, (value){n.b}, &x) &&
      knowledge_wants (a, f, (value){n.a}))
    effect_learn (e, (value){n.a}, x);
}

static uint32_t step_assume (lock_analysis *a, ir_edge edge, effect *e) {
  ir_proc f = proc_of (a, edge);
  value v = value_in (&a->values, f, ir_arg (a->program, edge, 0));
  if (v.i == VALUE_NONE) return 1;
  condition c = step_condition (a, v);
  bool holds;
  lock_use fact;
  if (flag_seen (a, edge, &fact)) e->facts = idset_add (&a->effects.sets, e->facts, fact.i);
  if (evaluate_condition (a, e, c, &holds)) return holds;
  learn_condition (a, e, f, c);
  return 1;
}

// ---- registers ----------------------------------------------------------------------------------------------
static void forget_results (lock_analysis *a, ir_edge edge, effect *e) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  ir_proc f = proc_of (a, edge);
  if (d->dst.i != IR_NONE) effect_forget (&a->effects, e, f, d->dst.i);
  if (d->dst2.i != IR_NONE) effect_forget (&a->effects, e, f, d->dst2.i);
}

static void learn_result (lock_analysis *a, ir_edge edge, effect *e, ir_value x) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  if (d->dst.i == IR_NONE) return;
  value r = value_reg (&a->values, proc_of (a, edge), d->dst.i);
  if (knowledge_wants (a, proc_of (a, edge), r)) effect_learn (e, r, x);
}

static uint32_t step_assign (lock_analysis *a, ir_edge edge, effect *e) {
  ir_proc f = proc_of (a, edge);
  ir_value x;
  bool known = step_evaluate (a, e, value_assigned (&a->values, f, edge), &x);
  forget_results (a, edge, e);
  if (known) learn_result (a, edge, e, x);
  return 1;
}

// ---- synchronisation -----------------------------------------------------------------------------------------
static bool acquire (lock_analysis *a, ir_edge edge, unsigned arg, bool reads, effect *e) {
  bool late = a->stable.late[ir_edge_at (a->program, edge)->from.i];
  return effect_acquire (&a->effects, e, step_lock (a, edge, arg, reads), edge, late);
}

static void release (lock_analysis *a, ir_edge edge, unsigned arg, effect *e) {
  effect_release (&a->effects, e, step_lock (a, edge, arg, false));
}

// EDEADLK for who has it already.
static bool may_fail (lock_analysis *a, ir_edge edge, bool reads) {
  return effect_may_fail_for_holder (&a->effects, step_lock (a, edge, 0, reads));
}

static uint32_t step_acquire (lock_analysis *a, ir_edge edge, bool reads, effect *e) {
  if (!acquire (a, edge, 0, reads, e)) return 0;
  forget_results (a, edge, e);
  if (!may_fail (a, edge, reads)) learn_result (a, edge, e, 0);
  return 1;
}

static void give_result (lock_analysis *a, ir_edge edge, effect *e, ir_value x) {
  forget_results (a, edge, e);
  learn_result (a, edge, e, x);
}

static uint32_t step_try (lock_analysis *a, ir_edge edge, bool reads, ir_value failure, effect after[MOST_OUTCOMES]) {
  uint32_t count = 0;
  effect before = after[0];
  if (acquire (a, edge, 0, reads, &after[0])) give_result (a, edge, &after[count++], 0);
  after[count] = before;
  forget_results (a, edge, &after[count]);
  if (failure == RESULT_BUSY || !may_fail (a, edge, reads)) learn_result (a, edge, &after[count], failure);
  return count + 1;
}

// Some kinds refuse to be released by who does not have them: EPERM.
static bool may_refuse (lock_analysis *a, ir_edge edge, effect *e) {
  lock_use u = step_lock (a, edge, 0, false);
  const held_lock *h = effect_find (e, u);
  bool recursive = lock_at (&a->locks, use_lock (u))->family == LOCK_MUTEX &&
                   (lock_may_be (&a->locks, use_lock (u), IR_MUTEX_RECURSIVE, false) ||
                    lock_may_be (&a->locks, use_lock (u), IR_MUTEX_RECURSIVE, true));
  return (recursive || effect_may_fail_for_holder (&a->effects, u)) && !(h && h->sure);
}

static uint32_t step_release (lock_analysis *a, ir_edge edge, effect *e) {
  bool refused = may_refuse (a, edge, e);
  release (a, edge, 0, e);
  forget_results (a, edge, e);
  if (!refused) learn_result (a, edge, e, 0);
  return 1;
}

static void pass_once (lock_analysis *a, ir_edge edge, effect *e) {
  e->facts = idset_add (&a->effects.sets, e->facts, step_lock (a, edge, 0, false).i);
}

static uint32_t step_once (lock_analysis *a, ir_edge edge, effect after[MOST_OUTCOMES]) {
  after[1] = after[0];
  uint32_t runs = acquire (a, edge, 0, false, &after[0]);
  if (runs) give_result (a, edge, &after[0], 1);
  else after[0] = after[1];
  pass_once (a, edge, &after[runs]);
  give_result (a, edge, &after[runs], 0);
  return runs + 1;
}

// A recursive mutex is given back fully, also what callers hold of it: how often that is is not known here.
static uint32_t step_wait (lock_analysis *a, ir_edge edge, effect *e) {
  bool late = a->stable.late[ir_edge_at (a->program, edge)->from.i];
  lock_use u = step_lock (a, edge, 1, false);
  if (lock_may_be (&a->locks, use_lock (u), IR_MUTEX_RECURSIVE, late)) {
    effect_release_fully (&a->effects, e, u);
    u = use_of (lock_vague (&a->locks, LOCK_MUTEX, (lock_site){edge, 1, 0}), false);
  }
  effect_release (&a->effects, e, u);
  return 1;
}

static uint32_t step_resume (lock_analysis *a, ir_edge edge, effect *e) {
  if (!acquire (a, edge, 1, false, e)) return 0;
  forget_results (a, edge, e);
  return 1;
}

// ---- atomic variables as locks ---------------------------------------------------------------------------------
static void learn_success (lock_analysis *a, ir_edge edge, effect *e, bool success) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  if (d->dst2.i == IR_NONE) return;
  value r = value_reg (&a->values, proc_of (a, edge), d->dst2.i);
  if (knowledge_wants (a, proc_of (a, edge), r)) effect_learn (e, r, success);
}

// The old value was 0, or it was not.
static void learn_was_free (lock_analysis *a, ir_edge edge, effect *e, bool free) {
  const ir_edge_data *d = ir_edge_at (a->program, edge);
  if (d->dst.i == IR_NONE) return;
  value r = value_reg (&a->values, proc_of (a, edge), d->dst.i);
  unsigned bits = value_at (&a->values, r)->bits;
  value is_zero = value_apply (&a->values, IR_X_EQ, 1, r, value_const (&a->values, bits, 0));
  if (knowledge_wants (a, proc_of (a, edge), r) || knowledge_wants (a, proc_of (a, edge), is_zero))
    effect_learn (e, is_zero, free);
}

static uint32_t step_take_cell (lock_analysis *a, ir_edge edge, bool exchange, effect after[MOST_OUTCOMES]) {
  after[1] = after[0];
  uint32_t taken = acquire (a, edge, 0, false, &after[0]);
  for (uint32_t k = 0; k < 2; k++) {
    effect *e = &after[k ? taken : 0];
    if (!k && !taken) continue;
    forget_results (a, edge, e);
    if (exchange) learn_was_free (a, edge, e, !k);
    else learn_success (a, edge, e, !k);
  }
  return taken + 1;
}

static uint32_t step_cell (lock_analysis *a, ir_edge edge, cell_op op, effect after[MOST_OUTCOMES]) {
  switch (op) {
  case CELL_TAKE_IF_EQUAL: return step_take_cell (a, edge, false, after);
  case CELL_TAKE_BY_EXCHANGE: return step_take_cell (a, edge, true, after);
  case CELL_GIVE: release (a, edge, 0, &after[0]); return 1;
  case CELL_GIVE_IF_EQUAL:
    after[1] = after[0];
    release (a, edge, 0, &after[0]);
    for (uint32_t k = 0; k < 2; k++) {
      forget_results (a, edge, &after[k]);
      learn_success (a, edge, &after[k], !k);
    }
    return 2;
  default: forget_results (a, edge, &after[0]); return 1;
  }
}

// ---- semaphores as locks -----------------------------------------------------------------------------------------
static uint32_t step_semaphore (lock_analysis *a, ir_edge edge, effect after[MOST_OUTCOMES]) {
  if (semaphore_touched (a, edge)) switch (ir_edge_at (a->program, edge)->op) {
    case IR_SEM_WAIT: return step_acquire (a, edge, false, &after[0]);
    case IR_SEM_TRYWAIT: return step_try (a, edge, false, RESULT_AGAIN, after);
    case IR_SEM_TIMEDWAIT: return step_try (a, edge, false, RESULT_TIMED_OUT, after);
    case IR_SEM_POST: return step_release (a, edge, &after[0]);
    default: break;
    }
  forget_results (a, edge, &after[0]);
  return 1;
}

uint32_t step_edge (lock_analysis *a, ir_edge edge, const effect *before, effect after[MOST_OUTCOMES]) {
  bool late = a->stable.late[ir_edge_at (a->program, edge)->from.i];
  after[0] = *before;
  switch (ir_edge_at (a->program, edge)->op) {
  case IR_ASSUME: return step_assume (a, edge, &after[0]);
  case IR_ASSIGN: return step_assign (a, edge, &after[0]);
  case IR_MUTEX_LOCK:
  case IR_SPIN_LOCK:
  case IR_RW_WRLOCK: return step_acquire (a, edge, false, &after[0]);
  case IR_RW_RDLOCK: return step_acquire (a, edge, true, &after[0]);
  case IR_MUTEX_TRYLOCK:
  case IR_SPIN_TRYLOCK:
  case IR_RW_TRYWRLOCK: return step_try (a, edge, false, RESULT_BUSY, after);
  case IR_RW_TRYRDLOCK: return step_try (a, edge, true, RESULT_BUSY, after);
  case IR_MUTEX_TIMEDLOCK:
  case IR_RW_TIMEDWRLOCK: return step_try (a, edge, false, RESULT_TIMED_OUT, after);
  case IR_RW_TIMEDRDLOCK: return step_try (a, edge, true, RESULT_TIMED_OUT, after);
  case IR_MUTEX_UNLOCK:
  case IR_SPIN_UNLOCK:
  case IR_RW_UNLOCK: return step_release (a, edge, &after[0]);
  case IR_COND_WAIT: return step_wait (a, edge, &after[0]);
  case IR_COND_RESUME:
  case IR_COND_TIMEDRESUME: return step_resume (a, edge, &after[0]);
  case IR_ATOMIC_BEGIN: return effect_acquire (&a->effects, &after[0], atomic_lock (a), edge, late);
  case IR_ATOMIC_END: effect_release (&a->effects, &after[0], atomic_lock (a)); return 1;
  case IR_ONCE_BEGIN: return step_once (a, edge, after);
  case IR_ONCE_END:
    release (a, edge, 0, &after[0]);
    pass_once (a, edge, &after[0]);
    return 1;
  case IR_THREAD_CREATE:
    effect_create (&a->effects, &after[0], edge);
    forget_results (a, edge, &after[0]);
    return 1;
  default:
    return is_semaphore_op (ir_edge_at (a->program, edge)->op) ? step_semaphore (a, edge, after)
                                                               : step_cell (a, edge, cell_op_of (a, edge), after);
  }
}

bool step_is_relevant (lock_analysis *a, ir_edge e) {
  switch (ir_edge_at (a->program, e)->op) {
  case IR_THREAD_CREATE:
  case IR_MUTEX_LOCK:
  case IR_MUTEX_TRYLOCK:
  case IR_MUTEX_TIMEDLOCK:
  case IR_MUTEX_UNLOCK:
  case IR_RW_RDLOCK:
  case IR_RW_WRLOCK:
  case IR_RW_TRYRDLOCK:
  case IR_RW_TRYWRLOCK:
  case IR_RW_TIMEDRDLOCK:
  case IR_RW_TIMEDWRLOCK:
  case IR_RW_UNLOCK:
  case IR_SPIN_LOCK:
  case IR_SPIN_TRYLOCK:
  case IR_SPIN_UNLOCK:
  case IR_COND_WAIT:
  case IR_COND_RESUME:
  case IR_COND_TIMEDRESUME:
  case IR_ATOMIC_BEGIN:
  case IR_ATOMIC_END:
  case IR_ONCE_BEGIN:
  case IR_ONCE_END: return true;
  case IR_SEM_WAIT:
  case IR_SEM_TRYWAIT:
  case IR_SEM_TIMEDWAIT:
  case IR_SEM_POST: return semaphore_touched (a, e);
  default: return cell_op_of (a, e) != CELL_NONE;
  }
}

bool step_releases (lock_analysis *a, ir_edge e, unsigned *arg) {
  ir_op op = ir_edge_at (a->program, e)->op;
  *arg = op == IR_COND_WAIT;
  if (op == IR_MUTEX_UNLOCK || op == IR_RW_UNLOCK || op == IR_SPIN_UNLOCK || op == IR_COND_WAIT) return true;
  if (op == IR_SEM_POST) return semaphore_touched (a, e);
  cell_op cell = cell_op_of (a, e);
  return cell == CELL_GIVE || cell == CELL_GIVE_IF_EQUAL;
}
