// Looks at every operation on locks in every state in which a thread may execute it.
#include "engine/locks/checks/checks_impl.h"

#include "ir/sync.h"

typedef struct misuse_check {
  misuses *m;
  lock_analysis *a;
  uint32_t kind;
  ir_edge edge;
  bool done;
} misuse_check;

static void add_misuse (misuse_check *l, uint32_t context, uint32_t node, lock_use u, ir_fault fault) {
  vec_push (&l->m->found, ((possible_misuse){l->edge, l->kind, context, node, u.i, fault}));
  l->done = true;
}

// Acquiring a recursive or error-checking mutex again does not block, nor does acquiring an rwlock for reading again.
static bool may_block_itself (misuse_check *l, lock_use u, const held_use *h) {
  lock_analysis *a = l->a;
  bool threaded = a->stable.threaded[ir_edge_at (a->program, l->edge)->from.i];
  ir_family family = (ir_family) lock_at (&a->locks, use_lock (u))->family;
  if (family == IR_F_SPIN) return true;
  return family == IR_F_MUTEX && !use_reads ((lock_use){h->use}) &&
         lock_may_be (&a->locks, use_lock (u), IR_MUTEX_NORMAL, threaded);
}

static void look_at_acquire (void *user, uint32_t context, uint32_t node, effect *state) {
  misuse_check *l = user;
  lock_use u = context_lock (l->a, context, edge_lock (l->a, l->edge, 0, false));
  const held_use *h = effect_may_hold (&l->a->effects, state, u);
  if (!l->done && h && may_block_itself (l, u, h)) add_misuse (l, context, node, u, IR_FAULT_RELOCK);
}

static void look_at_unheld_release (void *user, uint32_t context, uint32_t node, effect *state) {
  misuse_check *l = user;
  bool waits = ir_sync_of (ir_edge_at (l->a->program, l->edge)->op)->action == IR_A_WAIT;
  lock_use u = context_lock (l->a, context, edge_lock (l->a, l->edge, waits, false));
  if (l->done || effect_must_hold (&l->a->effects, state, u)) return;
  add_misuse (l, context, node, u, waits ? IR_FAULT_WAIT_UNLOCKED : IR_FAULT_UNLOCK_FREE);
}

static void look_at_end (void *user, uint32_t context, uint32_t node, effect *state) {
  misuse_check *l = user;
  for (uint32_t k = 0; k < state->num_held && !l->done; k++) {
    if (lock_is_pthread (&l->a->locks, use_lock ((lock_use){state->held[k].use})))
      add_misuse (l, context, node, (lock_use){state->held[k].use}, IR_FAULT_END_HOLDING);
  }
}

static void look_at_lifetime (void *user, uint32_t context, uint32_t node, effect *state) {
  misuse_check *l = user;
  lock_use u = context_lock (l->a, context, edge_lock (l->a, l->edge, 0, false));
  if (l->done || (object_is_unshared (l->a, l->edge) && !effect_may_hold (&l->a->effects, state, u))) return;
  bool begins = ir_sync_of (ir_edge_at (l->a->program, l->edge)->op)->action == IR_A_INIT;
  add_misuse (l, context, node, u, begins ? IR_FAULT_INIT_HELD : IR_FAULT_DESTROY_HELD);
}

static state_visitor *visitor_for (const lock_analysis *a, uint32_t kind, const ir_edge_data *d) {
  const ir_sync *s = ir_sync_of (d->op);
  if (d->op == IR_RETURN)
    return kind && ir_loc_at (a->program, d->from)->proc.i == threads_entry (a->threads, kind).i ? look_at_end : NULL;
  if (s->action == IR_A_END) return look_at_end;
  if (s->action == IR_A_WAIT) return look_at_unheld_release;
  if (!ir_family_is_lock (s->family)) return NULL;
  switch (s->action) {
  case IR_A_ACQUIRE: return ir_rule_of (d->op)->for_ever.when ? look_at_acquire : NULL;
  case IR_A_RELEASE: return look_at_unheld_release;
  case IR_A_INIT:
  case IR_A_DESTROY: return look_at_lifetime;
  default: return NULL;
  }
}

// A store, not an operation on locks, may have changed the state of the lock.
static bool is_undisciplined (lock_analysis *a, ir_edge e) {
  const ir_sync *s = ir_sync_of (ir_edge_at (a->program, e)->op);
  bool waits = s->action == IR_A_WAIT;
  return (ir_family_is_lock (s->family) || waits) &&
         !lock_is_disciplined (a, use_lock (edge_lock (a, e, waits, false)));
}

static bool may_be_elsewhere (const lock_analysis *a, ir_edge e) {
  pointsto_set all = pointsto_arg (a->targets, e, 0);
  for (uint32_t k = 0; k < all.count; k++)
    if (all.objects[k] >= a->program->objects.count) return true;
  return all.anything;
}

// What the check does not cover: whether handles are valid, and whether locks in the heap or on stacks are initialised.
static const char *uncovered_at (lock_analysis *a, ir_edge e) {
  const ir_edge_data *d = ir_edge_at (a->program, e);
  const ir_sync *s = ir_sync_of (d->op);
  bool sets_up = s->action == IR_A_INIT || s->action == IR_A_DESTROY;
  if (s->action == IR_A_JOIN || s->action == IR_A_DETACH) return "whether threads are joined or detached twice";
  if (s->family == IR_F_SEM || s->family == IR_F_BARRIER || (s->family == IR_F_COND && sets_up))
    return "how semaphores, barriers and condition variables are initialised and destroyed";
  if (store_may_forge_lock (a, e)) return "what a store into a lock does";
  if (ir_op_table[d->op].group != 'S' || !d->num_args) return NULL;
  if (may_be_elsewhere (a, e)) return "whether locks in the heap and on stacks are initialised";
  return is_undisciplined (a, e) ? "what a store into a lock does" : NULL;
}

static void note_uncovered_misuse (misuses *m, lock_analysis *a, ir_edge e) {
  if (m->uncovered) return;
  m->uncovered = uncovered_at (a, e);
  if (m->uncovered) m->uncovered_at = e;
}

static void note_destroyed (misuses *m, const lock_analysis *a) {
  m->uncovered_at = find_use_after_destroy (a);
  if (m->uncovered_at.i != IR_NONE) m->uncovered = "whether a lock is used after its destruction";
}

void misuses_init (misuses *m, lock_analysis *a) {
  *m = (misuses){0};
  note_destroyed (m, a);
  for (uint32_t e = 0; e < a->program->edges.count; e++) {
    misuse_check l = {.m = m, .a = a, .edge = {e}};
    const ir_edge_data *d = &a->program->edges.data[e];
    for (; l.kind < threads_count (a->threads) && !l.done; l.kind++) {
      if (!threads_runs (a->threads, l.kind, d->from)) continue;
      note_uncovered_misuse (m, a, l.edge);
      state_visitor *visit = visitor_for (a, l.kind, d);
      if (visit) for_each_state (a, l.kind, d->from, visit, &l);
    }
  }
}

void misuses_release (misuses *m) { vec_release (&m->found); }
