// The search by transactions (TXN section 4).  A stored state is one where no thread is inside a transaction; from it each thread runs one
// transaction: right movers (pre-commit), at most one other action, left movers (post-commit).  Whether an action moves is decided by exclusive
// access (4.1) to all it touches: after the action for right, before it for left.
//
// Inputs and undefined values make a transaction a graph rather than a path, and loops make it cyclic.  Condition C wants an end of the transaction
// to be reachable from every post-commit state; the graph is explored with Tarjan's algorithm and a strongly connected component of post-commit
// states without a way out gets an end at its root, which is the best possible choice (end of 4.2).
#include <string.h>

#include "engine/explicit/transaction.h"
#include "ir/sync.h"

enum { TRANSACTION_STEPS = 1500 /* steps; then it just ends */ };

typedef struct transaction_node {
  uint32_t first, count, hash_next;  // its tuple in ids; the next node with the same hash, + 1
  uint32_t parent, depth;
  uint32_t first_part, num_parts, first_chosen, num_chosen;  // of the action that led here
  uint32_t number, low;
  phase phase;
  bool on_stack, has_end;  // has_end: an end can be reached from it
} transaction_node;

// The run of one thread from one state.
typedef struct exploration {
  search *s;
  transactions *t;
  state_id state;
  uint32_t slot, index;  // index: in the view of the state
} exploration;

// ---- movers --------------------------------------------------------------------------------------------
static bool holds (const world *w, uint32_t slot, uint64_t lock) {
  for (uint32_t k = 0; k < w->threads[slot].held.count; k++)
    if (w->threads[slot].held.data[k].address == lock) return true;
  return false;
}

static bool has_lock (exploration *x, uint64_t lock) {
  return holds (&x->s->world, x->slot, lock) && protect_exclusive_lock (&x->t->protect, lock, &x->t->relied);
}

// An action that may end or begin what the thread has declared to own: whoever uses the variable meanwhile is wrong before it and right after
// it, or the other way round.
static bool changes_ownership (const exploration *x) {
  const world *w = &x->s->world;
  const thread *t = &w->threads[x->slot];
  if (!w->num_owned || t->status != T_RUNNING) return false;
  const insn *i = xs_exec_insn (w, x->slot);
  bool ends = i->op == BC_RETURN || i->op == BC_OWN || i->op == BC_FREE || i->op == BC_STACK_RESTORE;
  for (uint32_t k = 0; k < t->owned.count; k++)
    for (uint32_t n = 0; n < x->t->now.items.count; n++) {
      const touch *touched = &x->t->now.items.data[n];
      if (ends || (touched->write && touch_overlaps (touched->address, touched->bytes, t->owned.data[k].cell,
                                                     t->owned.data[k].cell_bytes)))
        return true;
    }
  return false;
}

static bool has_all (exploration *x) {
  const touch_set *now = &x->t->now;
  for (uint32_t k = 0; k < now->items.count; k++)
    if (!protect_exclusive (&x->t->protect, &x->s->world, x->slot, &now->items.data[k], &x->t->relied)) return false;
  return !now->everything;
}

// Freeing an object meets every synchronisation operation in it: its life is a variable of its own.
static touch life_of (const world *w, uint64_t address, bool ends) {
  return (touch){((uint64_t) (UINT32_MAX - 1) << w->program->offset_bits) +
                     pointer_object (w, address) * VARIABLE_BYTES,
                 1, ends, false};
}

static bool is_in_object (const insn *i) { return i->op == BC_SYNC && ir_rule_of (i->ir); }

static bool has_life (exploration *x, const insn *i) {
  const world *w = &x->s->world;
  bool in_object = i->op == BC_FREE || is_in_object (i);
  touch life = life_of (w, xs_exec_value (w, x->slot, i->a), i->op == BC_FREE);
  return !in_object || protect_exclusive (&x->t->protect, w, x->slot, &life, &x->t->relied);
}

static void note_life (exploration *x, const insn *i) {
  const world *w = &x->s->world;
  if (i->op != BC_FREE && !is_in_object (i)) return;
  touch life = life_of (w, xs_exec_value (w, x->slot, i->a), i->op == BC_FREE);
  protect_note (&x->t->protect, w, x->slot, life.address, life.bytes, life.write);
}

static bool has_bytes (exploration *x, uint64_t address, uint32_t bytes) {
  touch t = {address, bytes, true, false};
  return protect_exclusive (&x->t->protect, &x->s->world, x->slot, &t, &x->t->relied);
}

// Exclusive access before a synchronisation operation (TXN section 5; T6 for what the paper does not have).  Creating a thread moves left, since the
// new one has done nothing yet; so does a post, which no wait depends on having come first unless somebody looks at the value.
static bool sync_moves_left (exploration *x, const insn *i) {
  const ir_sync *facts = ir_sync_of (i->ir);
  uint64_t a = xs_exec_value (&x->s->world, x->slot, i->a);
  switch (facts->action) {
  case IR_A_ACQUIRE: return facts->family == IR_F_MUTEX && has_lock (x, a);  // relocks a recursive one
  case IR_A_RELEASE:
    return facts->family == IR_F_SEM ? protect_exclusive_lock (&x->t->protect, a, &x->t->relied) : has_lock (x, a);
  case IR_A_WAIT: return has_lock (x, xs_exec_value (&x->s->world, x->slot, i->b)) && has_bytes (x, a, 4);
  case IR_A_WAKE_ONE:
  case IR_A_WAKE_ALL: return has_bytes (x, a, 4);
  case IR_A_START: return has_all (x);
  case IR_A_LEAVE: return true;
  case IR_A_END: return has_all (x) && !x->s->world.threads[x->slot].owned.count;
  default: return false;
  }
}

// ... and after it.
static bool sync_moves_right (exploration *x, const insn *i, uint64_t a, uint64_t b) {
  const ir_sync *facts = ir_sync_of (i->ir);
  switch (facts->action) {
  case IR_A_ACQUIRE:
    return ir_family_is_lock (facts->family) ? has_lock (x, a)
                                             : protect_exclusive_lock (&x->t->protect, a, &x->t->relied);
  case IR_A_RELEASE: return facts->family == IR_F_MUTEX && has_lock (x, a);  // not the last unlock of a recursive one
  case IR_A_RESUME: return has_lock (x, b);  // but a timeout that came before a signal is not one that came after it
  case IR_A_WAKE_ONE:
  case IR_A_WAKE_ALL: return has_bytes (x, a, 4);
  case IR_A_LEAVE: return true;
  case IR_A_JOIN: return has_all (x);
  default: return false;
  }
}

// Operations that see a lock or semaphore in the hands of others: nobody has it to himself then.
static bool looks_in (uint8_t ir) {
  const ir_sync *facts = ir_sync_of (ir);
  switch (facts->action) {
  case IR_A_INIT:
  case IR_A_DESTROY: return ir_family_is_lock (facts->family) || facts->family == IR_F_SEM;
  case IR_A_TRY:
  case IR_A_TIMED:
  case IR_A_TIMED_RESUME:
  case IR_A_READ: return true;
  default: return false;
  }
}

static bool is_data (const insn *i) { return i->op != BC_SYNC; }

// The thread stands before the action; t->now is what it touches.
static bool moves_left (exploration *x, const insn *i) {
  return !changes_ownership (x) && has_life (x, i) && (is_data (i) ? has_all (x) : sync_moves_left (x, i));
}

// Data accesses are noted as they are executed (exec_memory.c).  Here: what is only looked at by a synchronisation operation, and what an access that
// fails would have touched.
static void note_accesses (exploration *x, const insn *i) {
  const touch_set *now = &x->t->now;
  note_life (x, i);
  const ir_sync *facts = ir_sync_of (i->ir);
  bool wakes = facts->action == IR_A_WAKE_ONE || facts->action == IR_A_WAKE_ALL;
  bool on_data = i->op != BC_SYNC || wakes || facts->action == IR_A_WAIT || facts->family == IR_F_THREAD;
  if (!on_data && looks_in (i->ir)) protect_give_up (&x->t->protect, xs_exec_value (&x->s->world, x->slot, i->a));
  bool executed = ((i->op >= BC_LOAD && i->op <= BC_CMPXCHG) || now->region) && !now->everything;
  for (uint32_t k = 0; on_data && !executed && k < now->items.count; k++) {
    const touch *t = &now->items.data[k];
    if (!holds (&x->s->world, x->slot, t->address))
      protect_note (&x->t->protect, &x->s->world, x->slot, t->address, t->bytes, t->write);
  }
}

// ---- nodes ---------------------------------------------------------------------------------------------
static bool node_is (const transactions *t, const transaction_node *n, const world *w, phase p) {
  if (n->phase != p) return false;
  uint32_t most = n->count > w->current.count ? n->count : w->current.count;
  for (uint32_t k = 0; k < most; k++)
    if ((k < n->count ? t->ids.data[n->first + k] : 0) != (k < w->current.count ? w->current.data[k] : 0)) return false;
  return true;
}

static uint32_t find_node (const transactions *t, const world *w, phase p) {
  const uint64_t *head = map_find (&t->by_hash, w->hash);
  for (uint32_t k = head ? (uint32_t) *head : 0; k; k = t->nodes.data[k - 1].hash_next)
    if (node_is (t, &t->nodes.data[k - 1], w, p)) return k - 1;
  return IR_NONE;
}

// A node for the committed world, reached from the parent by the step just recorded.
static uint32_t add_node (transactions *t, const world *w, phase p, uint32_t parent) {
  uint64_t *head = map_insert (&t->by_hash, w->hash, 0, NULL);
  transaction_node n = {.first = t->ids.count,
                        .count = w->current.count,
                        .hash_next = (uint32_t) *head,
                        .parent = parent,
                        .depth = parent == IR_NONE ? 0 : t->nodes.data[parent].depth + 1,
                        .first_part = t->parts.count,
                        .first_chosen = t->chosen.count,
                        .phase = p};
  for (uint32_t k = 0; k < n.count; k++) vec_push (&t->ids, w->current.data[k]);
  for (uint32_t k = 0; parent != IR_NONE && k < w->step.parts.count; k++) vec_push (&t->parts, w->step.parts.data[k]);
  for (uint32_t k = 0; parent != IR_NONE && k < w->step.chosen.count; k++)
    vec_push (&t->chosen, w->step.chosen.data[k]);
  n.num_parts = t->parts.count - n.first_part;
  n.num_chosen = t->chosen.count - n.first_chosen;
  vec_push (&t->nodes, n);
  *head = t->nodes.count;
  return t->nodes.count - 1;
}

// What was done from the state to the node goes before what the step from the node has done, so that violations in it have their whole
// schedule.
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

// ---- one action ----------------------------------------------------------------------------------------
static void add_end (exploration *x, uint32_t depth) {
  reducer *r = x->s->reducer;
  vec_clear (&r->log);
  if (depth) vec_push (&r->log, x->slot << STEP_COUNT_BITS | depth);
  search_add_successor (x->s, x->state);
}

// Where the thread stands after an action that left it in this phase: inside its transaction, at the end, or nowhere: blocked
// before it has committed, so the others might as well have gone first.
typedef enum where { INSIDE, AT_END, NOWHERE } where;

// A thread that waits for itself is wrong (locks), so the state must be seen.
static bool waits_for_itself (const exploration *x) {
  const world *w = &x->s->world;
  const insn *i = xs_exec_insn (w, x->slot);
  return i->op == BC_SYNC && (i->ir == IR_MUTEX_LOCK || i->ir == IR_SPIN_LOCK) &&
         holds (w, x->slot, xs_exec_value (w, x->slot, i->a));
}

static where place_of (exploration *x, phase p, uint32_t depth) {
  world *w = &x->s->world;
  if (w->threads[x->slot].status != T_RUNNING || world_is_alone (w) || depth >= TRANSACTION_STEPS) return AT_END;
  if (!xs_exec_enabled (w, x->slot)) return p == PRE_COMMIT && !waits_for_itself (x) ? NOWHERE : AT_END;
  if (p == PRE_COMMIT) return INSIDE;
  touch_rehearse (w, x->slot, &x->t->now);
  return moves_left (x, xs_exec_insn (w, x->slot)) ? INSIDE : AT_END;
}

// A step that has started a thread lets that one go on; when a thread is alone its step may have done so behind other work.
static phase phase_after (exploration *x, phase before, const insn *i, uint64_t a, uint64_t b) {
  if (before == POST_COMMIT || !x->t->right_movers || x->s->world.step.starts.count) return POST_COMMIT;
  bool right = is_data (i) ? has_all (x) : sync_moves_right (x, i, a, b);
  return right && x->s->world.threads[x->slot].status == T_RUNNING ? PRE_COMMIT : POST_COMMIT;
}

static void remember_touches (exploration *x, uint32_t depth, uint32_t edge) {
  transaction_trace *trace = &x->s->reducer->traces[x->index];
  for (uint32_t k = 0; k < x->t->now.items.count; k++)
    vec_push (&trace->touches, ((transaction_touch){x->t->now.items.data[k], depth, edge}));
}

// Takes the next action from the node, where the world is, and says which phase it leaves the thread in.
static step_result act (exploration *x, const transaction_node *n, phase *after) {
  search *s = x->s;
  world *w = &s->world;
  touch_rehearse (w, x->slot, &x->t->now);
  const insn *i = xs_exec_insn (w, x->slot);
  bool commits_at_most = n->phase == PRE_COMMIT;
  uint64_t a = xs_exec_value (w, x->slot, i->a), b = xs_exec_value (w, x->slot, i->b);
  note_accesses (x, i);
  bool changes = changes_ownership (x) || !has_life (x, i);
  if (commits_at_most) remember_touches (x, n->depth, i->edge);
  step_result result = xs_exec_step (w, x->slot);
  s->transitions++;
  x->t->steps++;
  *after = result == STEP_DONE && !changes ? phase_after (x, n->phase, i, a, b) : POST_COMMIT;
  if (x->t->watch) x->t->watch (x->t->watch_state, x->slot, i->edge, *after);
  return result;
}

// ---- the graph of one transaction ----------------------------------------------------------------------
typedef VEC (uint32_t) node_list;

// All that can happen next; nodes inside the transaction are listed, ends are added as states.
static void expand_node (exploration *x, uint32_t node, node_list *next) {
  world *w = &x->s->world;
  transactions *t = x->t;
  vec_clear (&w->step.choices);
  do {
    transaction_node n = t->nodes.data[node];
    world_load (w, t->ids.data + n.first, n.count);
    world_begin_step (w);
    phase after;
    step_result result = act (x, &n, &after);
    if (result == STEP_DONE) {
      world_commit (w);
      where at = place_of (x, after, n.depth + 1);
      uint32_t known = at == INSIDE ? find_node (t, w, after) : IR_NONE;
      if (at == AT_END) add_end (x, n.depth + 1);
      if (at == AT_END) t->nodes.data[node].has_end = true;
      if (at == INSIDE) vec_push (next, known == IR_NONE ? add_node (t, w, after, node) : known);
    }
    prepend_path (t, node, &w->step);
    search_note_result (x->s, x->state, result);
  } while (!x->s->stopped && world_next_choices (w));
}

// Post-commit states from which no end can be reached get one at the root of their component.
static void close_component (exploration *x, uint32_t root) {
  transactions *t = x->t;
  bool has_end = false, committed = t->nodes.data[root].phase == POST_COMMIT;
  uint32_t from = t->stack.count;
  while (t->stack.data[--from] != root) continue;
  for (uint32_t k = from; k < t->stack.count; k++) has_end |= t->nodes.data[t->stack.data[k]].has_end;
  if (!has_end && committed && t->must_end) {
    const transaction_node *n = &t->nodes.data[root];
    world_load (&x->s->world, t->ids.data + n->first, n->count);
    add_end (x, n->depth);
    has_end = true;
  }
  for (uint32_t k = from; k < t->stack.count; k++) {
    t->nodes.data[t->stack.data[k]].has_end = has_end;
    t->nodes.data[t->stack.data[k]].on_stack = false;
  }
  t->stack.count = from;
}

// A path of right movers and a cycle of left movers never share a component, since nothing leads back from post- to pre-commit.
static void visit (exploration *x, uint32_t node) {
  transactions *t = x->t;
  node_list next = {0};
  t->nodes.data[node].number = t->nodes.data[node].low = ++t->next_number;
  t->nodes.data[node].on_stack = true;
  vec_push (&t->stack, node);
  expand_node (x, node, &next);
  for (uint32_t k = 0; k < next.count && !x->s->stopped; k++) {
    uint32_t to = next.data[k];
    if (!t->nodes.data[to].number) visit (x, to);
    uint32_t low = t->nodes.data[to].on_stack ? t->nodes.data[to].low : UINT32_MAX;
    if (low < t->nodes.data[node].low) t->nodes.data[node].low = low;
    t->nodes.data[node].has_end |= t->nodes.data[to].has_end;
  }
  vec_release (&next);
  if (t->nodes.data[node].low == t->nodes.data[node].number) close_component (x, node);
}

// ---- all transactions of a state -----------------------------------------------------------------------
static void count_begin (transactions *t, uint32_t edge) {
  ++*map_insert (&t->begins, edge, 0, NULL);
  t->count++;
}

static void run_transaction (search *s, state_id state, uint32_t index) {
  transactions *t = s->reducer->transactions;
  exploration x = {.s = s, .t = t, .state = state, .slot = s->reducer->view.threads[index].slot, .index = index};
  search_reload (s, state);
  count_begin (t, xs_exec_insn (&s->world, x.slot)->edge);
  vec_clear (&t->nodes);
  vec_clear (&t->ids);
  vec_clear (&t->parts);
  vec_clear (&t->chosen);
  vec_clear (&t->stack);
  map_clear (&t->by_hash);
  t->next_number = 0;
  visit (&x, add_node (t, &s->world, PRE_COMMIT, IR_NONE));
}

// The search has relied on these variables' protection in this state.
static void note_reliance (transactions *t, state_id state) {
  for (uint32_t k = 0; k < t->relied.count; k++) {
    protected_variable *v = &t->protect.variables.data[t->relied.data[k]];
    if (!v->relying.count || vec_last (&v->relying) != state) vec_push (&v->relying, state);
  }
  vec_clear (&t->relied);
}

// When a variable turns out to be unprotected, states whose transactions relied on it are expanded again; nothing is restarted.
static void reopen (search *s) {
  transactions *t = s->reducer->transactions;
  while (t->protect.lost.count) {
    protected_variable *v = &t->protect.variables.data[vec_pop (&t->protect.lost)];
    for (uint32_t k = 0; k < v->relying.count; k++) search_reopen (s, v->relying.data[k]);
    t->reopened += v->relying.count;
    vec_release (&v->relying);
  }
}

void transactions_expand (search *s, state_id state) {
  reducer *r = s->reducer;
  thread_choice all = {0};
  for (uint32_t k = 0; k < r->view.num_threads; k++) {
    vec_clear (&r->traces[k].touches);
    if (r->view.threads[k].enabled) all.index[all.count++] = k;
  }
  for (uint32_t k = 0; k < all.count && !s->stopped; k++) run_transaction (s, state, all.index[k]);
  if (r->transactions->right_movers) mover_examine_races (s, state, &all);
  note_reliance (r->transactions, state);
  reopen (s);
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
