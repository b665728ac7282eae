// The search by transactions (TXN section 4). In a stored state no thread is inside a transaction; from it each thread
// executes one transaction: right movers (pre-commit), at most one other action, left movers (post-commit). Whether an
// action moves is decided by exclusive access (4.1) to everything it accesses: after the action for right movers,
// before it for left movers.
//
// Inputs and undefined values make a transaction a graph instead of a path, and loops make it cyclic. Condition C
// requires that an end of the transaction can be reached from every post-commit state. The graph is explored with
// Tarjan's algorithm, and a strongly connected component of post-commit states without an exit gets an end at its root,
// which is the best possible choice (end of 4.2).
#include <string.h>

#include "engine/explicit/transaction.h"
#include "ir/sync.h"

enum { TRANSACTION_STEPS = 1500 /* steps; then it just ends */ };

typedef struct transaction_node {
  uint32_t first, count, hash_next;  // tuple in `ids`; hash_next: next node with the same hash, + 1
  uint32_t parent, depth;
  uint32_t first_part, num_parts, first_chosen, num_chosen;  // schedule of the action that led here
  uint32_t number, low;
  phase phase;
  bool on_stack, has_end;  // has_end: an end of the transaction is reachable
} transaction_node;

// Exploration of one thread's transactions from one state.
typedef struct exploration {
  state_search *s;
  transactions *t;
  state_id state;
  uint32_t slot, index;  // index: in the snapshot of the state
} exploration;

// ---- movers -------------------------------------------------------------------------------------------
static bool slot_holds_lock (const current_state *w, uint32_t slot, uint64_t lock) {
  for (uint32_t k = 0; k < w->threads[slot].held.count; k++)
    if (w->threads[slot].held.data[k].address == lock) return true;
  return false;
}

static bool has_exclusive_lock (exploration *x, uint64_t lock) {
  return slot_holds_lock (&x->s->current, x->slot, lock) &&
         protect_exclusive_lock (&x->t->protect, lock, &x->t->relied);
}

// Returns whether the action may begin or end ownership of the thread: an access by another thread is an error on one
// side of this action and correct on the other.
static bool changes_ownership (const exploration *x) {
  const current_state *w = &x->s->current;
  const state_thread *t = &w->threads[x->slot];
  if (!w->num_owned || t->status != T_RUNNING) return false;
  const insn *i = xs_exec_insn (w, x->slot);
  bool ends = i->op == BC_RETURN || i->op == BC_OWN || i->op == BC_FREE || i->op == BC_STACK_RESTORE;
  for (uint32_t k = 0; k < t->owned.count; k++)
    for (uint32_t n = 0; n < x->t->now.items.count; n++) {
      const step_access *touched = &x->t->now.items.data[n];
      if (ends || (touched->write && xs_ranges_overlap (touched->address, touched->bytes, t->owned.data[k].cell,
                                                        t->owned.data[k].cell_bytes)))
        return true;
    }
  return false;
}

static bool has_footprint (exploration *x) {
  const next_footprint *now = &x->t->now;
  for (uint32_t k = 0; k < now->items.count; k++)
    if (!protect_exclusive (&x->t->protect, &x->s->current, x->slot, &now->items.data[k], &x->t->relied)) return false;
  return !now->everything;
}

// Freeing an object conflicts with every synchronisation operation in it: its lifetime is treated as a variable of its
// own.
static step_access lifetime_access (const current_state *w, uint64_t address, bool ends) {
  return (step_access){((uint64_t) (UINT32_MAX - 1) << w->program->offset_bits) +
                           pointer_object (w, address) * VARIABLE_BYTES,
                       1, ends, false};
}

static bool is_in_object (const insn *i) { return i->op == BC_SYNC && ir_rule_of (i->ir); }

static bool has_life (exploration *x, const insn *i) {
  const current_state *w = &x->s->current;
  bool in_object = i->op == BC_FREE || is_in_object (i);
  step_access life = lifetime_access (w, xs_exec_value (w, x->slot, i->a), i->op == BC_FREE);
  return !in_object || protect_exclusive (&x->t->protect, w, x->slot, &life, &x->t->relied);
}

static void note_life (exploration *x, const insn *i) {
  const current_state *w = &x->s->current;
  if (i->op != BC_FREE && !is_in_object (i)) return;
  step_access life = lifetime_access (w, xs_exec_value (w, x->slot, i->a), i->op == BC_FREE);
  protect_note (&x->t->protect, w, x->slot, life.address, life.bytes, life.write);
}

static bool has_bytes (exploration *x, uint64_t address, uint32_t bytes) {
  step_access t = {address, bytes, true, false};
  return protect_exclusive (&x->t->protect, &x->s->current, x->slot, &t, &x->t->relied);
}

// Decides exclusive access before a synchronisation operation (TXN section 5; T6 for operations that the paper does not
// have). Creating a thread is a left mover, because the new thread has done nothing yet; so is a post, because no wait
// depends on its position unless an operation reads the value.
static bool sync_moves_left (exploration *x, const insn *i) {
  const ir_sync *facts = ir_sync_of (i->ir);
  uint64_t a = xs_exec_value (&x->s->current, x->slot, i->a);
  switch (facts->action) {
  case IR_A_ACQUIRE: return facts->family == IR_F_MUTEX && has_exclusive_lock (x, a);  // relocking a recursive mutex
  case IR_A_RELEASE:
    return facts->family == IR_F_SEM ? protect_exclusive_lock (&x->t->protect, a, &x->t->relied)
                                     : has_exclusive_lock (x, a);
  case IR_A_WAIT: return has_exclusive_lock (x, xs_exec_value (&x->s->current, x->slot, i->b)) && has_bytes (x, a, 4);
  case IR_A_WAKE_ONE:
  case IR_A_WAKE_ALL: return has_bytes (x, a, 4);
  case IR_A_START: return has_footprint (x);
  case IR_A_LEAVE: return true;
  case IR_A_END: return has_footprint (x) && !x->s->current.threads[x->slot].owned.count;
  default: return false;
  }
}

// Decides exclusive access after a synchronisation operation.
static bool sync_moves_right (exploration *x, const insn *i, uint64_t a, uint64_t b) {
  const ir_sync *facts = ir_sync_of (i->ir);
  switch (facts->action) {
  case IR_A_ACQUIRE:
    return ir_family_is_lock (facts->family) ? has_exclusive_lock (x, a)
                                             : protect_exclusive_lock (&x->t->protect, a, &x->t->relied);
  case IR_A_RELEASE:
    return facts->family == IR_F_MUTEX && has_exclusive_lock (x, a);  // an inner unlock of a recursive mutex
  case IR_A_RESUME: return has_exclusive_lock (x, b);  // but a timeout before a signal differs from one after it
  case IR_A_WAKE_ONE:
  case IR_A_WAKE_ALL: return has_bytes (x, a, 4);
  case IR_A_LEAVE: return true;
  case IR_A_JOIN: return has_footprint (x);
  default: return false;
  }
}

static bool is_data (const insn *i) { return i->op != BC_SYNC; }

// The action is the thread's next one; t->now is its footprint.
static bool moves_left (exploration *x, const insn *i) {
  return !changes_ownership (x) && has_life (x, i) && (is_data (i) ? has_footprint (x) : sync_moves_left (x, i));
}

// Records accesses. Data accesses are recorded when they are executed (exec_memory.c); this function records what a
// synchronisation operation only reads, and the accesses of a failing step.
static void note_accesses (exploration *x, const insn *i) {
  const next_footprint *now = &x->t->now;
  note_life (x, i);
  const ir_sync *facts = ir_sync_of (i->ir);
  bool wakes = facts->action == IR_A_WAKE_ONE || facts->action == IR_A_WAKE_ALL;
  bool on_data = i->op != BC_SYNC || wakes || facts->action == IR_A_WAIT || facts->family == IR_F_THREAD;
  if (!on_data) protect_note_sync (&x->t->protect, i->ir, xs_exec_value (&x->s->current, x->slot, i->a));
  bool executed = ((i->op >= BC_LOAD && i->op <= BC_CMPXCHG) || now->region) && !now->everything;
  for (uint32_t k = 0; on_data && !executed && k < now->items.count; k++) {
    const step_access *t = &now->items.data[k];
    if (!slot_holds_lock (&x->s->current, x->slot, t->address))
      protect_note (&x->t->protect, &x->s->current, x->slot, t->address, t->bytes, t->write);
  }
}

// ---- nodes --------------------------------------------------------------------------------------------
static bool node_is (const transactions *t, const transaction_node *n, const current_state *w, phase p) {
  if (n->phase != p) return false;
  uint32_t most = n->count > w->ids.count ? n->count : w->ids.count;
  for (uint32_t k = 0; k < most; k++)
    if ((k < n->count ? t->ids.data[n->first + k] : 0) != (k < w->ids.count ? w->ids.data[k] : 0)) return false;
  return true;
}

static uint32_t find_transaction_node (const transactions *t, const current_state *w, phase p) {
  const uint64_t *head = map_find (&t->by_hash, w->hash);
  for (uint32_t k = head ? (uint32_t) *head : 0; k; k = t->nodes.data[k - 1].hash_next)
    if (node_is (t, &t->nodes.data[k - 1], w, p)) return k - 1;
  return IR_NONE;
}

// Adds a node for the committed current state, reached from the parent by the step just recorded.
static uint32_t add_transaction_node (transactions *t, const current_state *w, phase p, uint32_t parent) {
  uint64_t *head = map_insert (&t->by_hash, w->hash, 0, NULL);
  transaction_node n = {.first = t->ids.count,
                        .count = w->ids.count,
                        .hash_next = (uint32_t) *head,
                        .parent = parent,
                        .depth = parent == IR_NONE ? 0 : t->nodes.data[parent].depth + 1,
                        .first_part = t->parts.count,
                        .first_chosen = t->chosen.count,
                        .phase = p};
  for (uint32_t k = 0; k < n.count; k++) vec_push (&t->ids, w->ids.data[k]);
  for (uint32_t k = 0; parent != IR_NONE && k < w->step.parts.count; k++) vec_push (&t->parts, w->step.parts.data[k]);
  for (uint32_t k = 0; parent != IR_NONE && k < w->step.chosen.count; k++)
    vec_push (&t->chosen, w->step.chosen.data[k]);
  n.num_parts = t->parts.count - n.first_part;
  n.num_chosen = t->chosen.count - n.first_chosen;
  vec_push (&t->nodes, n);
  *head = t->nodes.count;
  return t->nodes.count - 1;
}

// Prepends the path from the state to the node to the step record, so that violations get a complete schedule.
static void prepend_path (const transactions *t, uint32_t node, step_record *r) {
  for (; node != IR_NONE; node = t->nodes.data[node].parent) {
    const transaction_node *n = &t->nodes.data[node];
    vec_prepend (&r->parts, t->parts.data + n->first_part, n->num_parts);
    vec_prepend (&r->chosen, t->chosen.data + n->first_chosen, n->num_chosen);
    for (uint32_t k = 0; k < r->violations.count; k++) {
      r->violations.data[k].num_parts += n->num_parts;
      r->violations.data[k].num_chosen += n->num_chosen;
    }
  }
}

// ---- one action ---------------------------------------------------------------------------------------
static void add_transaction_end (exploration *x, uint32_t depth) {
  state_reducer *r = x->s->reducer;
  vec_clear (&r->log);
  if (depth) vec_push (&r->log, x->slot << STEP_COUNT_BITS | depth);
  search_add_successor (x->s, x->state);
}

// Where the thread is after an action: inside its transaction, at the end, or blocked before it has committed, in which
// case the others might as well have gone first.
typedef enum transaction_position { INSIDE, AT_END, NOWHERE } transaction_position;

// Returns whether the thread waits for a lock that it holds: misuse, so the state must be examined.
static bool waits_for_itself (const exploration *x) {
  const current_state *w = &x->s->current;
  const insn *i = xs_exec_insn (w, x->slot);
  return i->op == BC_SYNC && (i->ir == IR_MUTEX_LOCK || i->ir == IR_SPIN_LOCK) &&
         slot_holds_lock (w, x->slot, xs_exec_value (w, x->slot, i->a));
}

static transaction_position position_after_action (exploration *x, phase p, uint32_t depth) {
  current_state *w = &x->s->current;
  if (w->threads[x->slot].status != T_RUNNING || xs_state_is_only_thread (w) || depth >= TRANSACTION_STEPS)
    return AT_END;
  if (!xs_exec_enabled (w, x->slot)) return p == PRE_COMMIT && !waits_for_itself (x) ? NOWHERE : AT_END;
  if (p == PRE_COMMIT) return INSIDE;
  next_footprint_rehearse (w, x->slot, &x->t->now);
  return moves_left (x, xs_exec_insn (w, x->slot)) ? INSIDE : AT_END;
}

// Returns the phase after an action. A step that has started a thread commits. (When only one thread is alive, its step
// may start a thread after other work.)
static phase phase_after (exploration *x, phase before, const insn *i, uint64_t a, uint64_t b) {
  if (before == POST_COMMIT || !x->t->right_movers || x->s->current.step.starts.count) return POST_COMMIT;
  bool right = is_data (i) ? has_footprint (x) : sync_moves_right (x, i, a, b);
  return right && x->s->current.threads[x->slot].status == T_RUNNING ? PRE_COMMIT : POST_COMMIT;
}

static void record_footprint_in_phase (exploration *x, uint32_t depth, uint32_t edge) {
  transaction_trace *trace = &x->s->reducer->traces[x->index];
  for (uint32_t k = 0; k < x->t->now.items.count; k++)
    vec_push (&trace->accesses, ((transaction_access){x->t->now.items.data[k], depth, edge}));
}

// Executes the next action from the node, which is the current state; *after is the phase after it.
static step_result execute_action (exploration *x, const transaction_node *n, phase *after) {
  state_search *s = x->s;
  current_state *w = &s->current;
  next_footprint_rehearse (w, x->slot, &x->t->now);
  const insn *i = xs_exec_insn (w, x->slot);
  bool commits_at_most = n->phase == PRE_COMMIT;
  uint64_t a = xs_exec_value (w, x->slot, i->a), b = xs_exec_value (w, x->slot, i->b);
  note_accesses (x, i);
  bool changes = changes_ownership (x) || !has_life (x, i);
  if (commits_at_most) record_footprint_in_phase (x, n->depth, i->edge);
  step_result result = xs_exec_step (w, x->slot);
  s->transitions++;
  x->t->steps++;
  *after = result == STEP_DONE && !changes ? phase_after (x, n->phase, i, a, b) : POST_COMMIT;
  if (x->t->on_action) x->t->on_action (x->t->action_state, x->slot, i->edge, *after);
  return result;
}

// ---- the graph of one transaction ---------------------------------------------------------------------
typedef VEC (uint32_t) node_list;

// Executes the next action with all choices; lists successors inside the transaction and adds ends as states.
static void expand_node (exploration *x, uint32_t node, node_list *next) {
  current_state *w = &x->s->current;
  transactions *t = x->t;
  vec_clear (&w->step.choices);
  do {
    transaction_node n = t->nodes.data[node];
    xs_state_load (w, t->ids.data + n.first, n.count);
    xs_step_begin (w);
    phase after;
    step_result result = execute_action (x, &n, &after);
    if (result == STEP_DONE) {
      xs_state_commit (w);
      transaction_position at = position_after_action (x, after, n.depth + 1);
      uint32_t known = at == INSIDE ? find_transaction_node (t, w, after) : IR_NONE;
      if (at == AT_END) add_transaction_end (x, n.depth + 1);
      if (at == AT_END) t->nodes.data[node].has_end = true;
      if (at == INSIDE) vec_push (next, known == IR_NONE ? add_transaction_node (t, w, after, node) : known);
    }
    prepend_path (t, node, &w->step);
    search_note_result (x->s, x->state, result);
  } while (!x->s->stopped && xs_step_next_choices (w));
}

// Closes a component: post-commit states from which no end is reachable get one at the root of their component.
static void close_transaction_component (exploration *x, uint32_t root) {
  transactions *t = x->t;
  bool has_end = false, committed = t->nodes.data[root].phase == POST_COMMIT;
  uint32_t from = t->stack.count;
  while (t->stack.data[--from] != root) continue;
  for (uint32_t k = from; k < t->stack.count; k++) has_end |= t->nodes.data[t->stack.data[k]].has_end;
  if (!has_end && committed && t->must_end) {
    const transaction_node *n = &t->nodes.data[root];
    xs_state_load (&x->s->current, t->ids.data + n->first, n->count);
    add_transaction_end (x, n->depth);
    has_end = true;
  }
  for (uint32_t k = from; k < t->stack.count; k++) {
    t->nodes.data[t->stack.data[k]].has_end = has_end;
    t->nodes.data[t->stack.data[k]].on_stack = false;
  }
  t->stack.count = from;
}

// Tarjan's algorithm. Pre-commit and post-commit nodes never share a component, because no action leads back to
// pre-commit.
static void explore_transaction_node (exploration *x, uint32_t node) {
  transactions *t = x->t;
  node_list next = {0};
  t->nodes.data[node].number = t->nodes.data[node].low = ++t->next_number;
  t->nodes.data[node].on_stack = true;
  vec_push (&t->stack, node);
  expand_node (x, node, &next);
  for (uint32_t k = 0; k < next.count && !x->s->stopped; k++) {
    uint32_t to = next.data[k];
    if (!t->nodes.data[to].number) explore_transaction_node (x, to);
    uint32_t low = t->nodes.data[to].on_stack ? t->nodes.data[to].low : UINT32_MAX;
    if (low < t->nodes.data[node].low) t->nodes.data[node].low = low;
    t->nodes.data[node].has_end |= t->nodes.data[to].has_end;
  }
  vec_release (&next);
  if (t->nodes.data[node].low == t->nodes.data[node].number) close_transaction_component (x, node);
}

// ---- all transactions of a state ----------------------------------------------------------------------
static void count_begin (transactions *t, uint32_t edge) {
  ++*map_insert (&t->begins, edge, 0, NULL);
  t->count++;
}

static void run_transaction (state_search *s, state_id state, uint32_t index) {
  transactions *t = s->reducer->transactions;
  exploration x = {.s = s, .t = t, .state = state, .slot = s->reducer->view.threads[index].slot, .index = index};
  search_reload (s, state);
  count_begin (t, xs_exec_insn (&s->current, x.slot)->edge);
  vec_clear (&t->nodes);
  vec_clear (&t->ids);
  vec_clear (&t->parts);
  vec_clear (&t->chosen);
  vec_clear (&t->stack);
  map_clear (&t->by_hash);
  t->next_number = 0;
  explore_transaction_node (&x, add_transaction_node (t, &s->current, PRE_COMMIT, IR_NONE));
}

// Records that the search has relied on the protection of these variables in this state.
static void note_reliance (transactions *t, state_id state) {
  for (uint32_t k = 0; k < t->relied.count; k++) {
    protected_variable *v = &t->protect.variables.data[t->relied.data[k]];
    if (!v->relying.count || vec_last (&v->relying) != state) vec_push (&v->relying, state);
  }
  vec_clear (&t->relied);
}

// Expands again the states whose transactions relied on the protection of variables that turned out to be unprotected;
// nothing is restarted.
static void reopen_relying_states (state_search *s) {
  transactions *t = s->reducer->transactions;
  while (t->protect.lost.count) {
    protected_variable *v = &t->protect.variables.data[vec_pop (&t->protect.lost)];
    for (uint32_t k = 0; k < v->relying.count; k++) search_reopen (s, v->relying.data[k]);
    t->reopened += v->relying.count;
    vec_release (&v->relying);
  }
}

void transactions_expand (state_search *s, state_id state) {
  state_reducer *r = s->reducer;
  thread_choice all = {0};
  for (uint32_t k = 0; k < r->view.num_threads; k++) {
    vec_clear (&r->traces[k].accesses);
    if (r->view.threads[k].enabled) all.index[all.count++] = k;
  }
  for (uint32_t k = 0; k < all.count && !s->stopped; k++) run_transaction (s, state, all.index[k]);
  if (r->transactions->right_movers) mover_examine_races (s, state, &all);
  note_reliance (r->transactions, state);
  reopen_relying_states (s);
  search_check_limits (s);
}

transactions *transactions_new (bool right_movers) {
  transactions *t = mem_zalloc (sizeof *t);
  t->right_movers = right_movers;
  t->must_end = true;
  return t;
}

void transactions_free (transactions *t) {
  if (!t) return;
  protect_release (&t->protect);
  vec_release (&t->relied);
  vec_release (&t->now.items);
  vec_release (&t->nodes);
  vec_release (&t->ids);
  vec_release (&t->parts);
  vec_release (&t->chosen);
  vec_release (&t->stack);
  map_release (&t->by_hash);
  map_release (&t->begins);
  mem_free (t, sizeof *t);
}
