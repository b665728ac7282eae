// Transactions that begin with right movers (TXN sections 2 and 4): after acquiring a lock a thread continues at once,
// because whatever the other threads do next they could have done before. An action is a right mover if, given the
// locks that its thread holds afterwards, no other thread can access what the action accessed (the exclusive access
// predicate in the post-state). TXN decides that by protecting locks; this engine decides it by futures, in each state.
//
// Such a transaction is explored as one transition, so the stubborn set is computed over all its accesses. Deadlocks
// are not preserved (TXN section 7).
#include "engine/explicit/explicit_reduce.h"
#include "ir/sync.h"

enum { TRANSACTION_STEPS = 64 };

// Acquiring a lock or accessing data can be a right mover; an operation that lets other threads continue cannot.
static bool may_move_right (const insn *i) {
  switch (i->op) {
  case BC_LOAD:
  case BC_LOAD_RAW:
  case BC_STORE:
  case BC_STORE_RAW:
  case BC_RMW:
  case BC_CMPXCHG: return true;
  case BC_SYNC: return ir_sync_of (i->ir)->mover == IR_RIGHT_MOVER;
  default: return false;
  }
}

static void record_footprint (transaction_trace *trace, const next_footprint *touched, uint32_t step, uint32_t edge) {
  for (uint32_t k = 0; k < touched->items.count; k++)
    vec_push (&trace->accesses, ((transaction_access){touched->items.data[k], step, edge}));
}

// Returns whether the transaction can continue without a choice; then the thread is at its next step and r->scratch is
// the footprint of that step.
static bool can_continue_transaction (state_search *s, uint32_t slot) {
  const current_state *w = &s->current;
  state_reducer *r = s->reducer;
  if (w->threads[slot].status != T_RUNNING || w->step.starts.count || w->step.next_choice) return false;
  if (!xs_exec_enabled (w, slot)) return false;
  next_footprint_find (w, slot, &r->scratch);
  return !r->scratch.everything && !r->scratch.region;
}

// Returns whether no other thread could reach what the step accessed when it was executed.
static bool moved_right (state_search *s, uint32_t index, const insn *i) {
  state_reducer *r = s->reducer;
  thread_snapshot *x = &r->view.threads[index];
  if (!may_move_right (i) || s->current.step.took_sticky_jump || s->current.threads[x->slot].status != T_RUNNING)
    return false;
  next_footprint whole = x->now;
  x->now = r->scratch;
  bool free = stubborn_unreachable (&r->view, index, stubborn_held (&r->view, index));
  x->now = whole;
  return free;
}

// Executes one transaction; `trace`, if not NULL, gets its accesses.
static step_result run_right_mover_transaction (state_search *s, uint32_t index, transaction_trace *trace) {
  current_state *w = &s->current;
  state_reducer *r = s->reducer;
  uint32_t slot = r->view.threads[index].slot;
  next_footprint_find (w, slot, &r->scratch);
  for (uint32_t step = 0;; step++) {
    const insn *i = xs_exec_insn (w, slot);
    if (trace) record_footprint (trace, &r->scratch, step, i->edge);
    bool first_of_many = !r->scratch.everything && !r->scratch.region && step < TRANSACTION_STEPS;
    step_result result = reduce_step (s, slot);
    if (result != STEP_DONE || !first_of_many || !moved_right (s, index, i) || !can_continue_transaction (s, slot))
      return result;
  }
}

step_result mover_run (state_search *s, uint32_t index) { return run_right_mover_transaction (s, index, NULL); }

// ---- choosing -----------------------------------------------------------------------------------------
// Finds the accesses of a thread's next transaction. It ends where something is chosen, so its accesses do not depend
// on choices.
static void find_transaction_footprint (state_search *s, state_id state, uint32_t index) {
  state_reducer *r = s->reducer;
  uint64_t transitions = s->transitions;
  explicit_reduction_counts counts = r->counts;
  vec_clear (&r->traces[index].accesses);
  vec_clear (&s->current.step.choices);
  search_reload (s, state);
  xs_step_begin (&s->current);
  run_right_mover_transaction (s, index, &r->traces[index]);
  vec_clear (&s->current.step.choices);
  s->transitions = transitions;
  r->counts = counts;
}

// The current state is the given one. If an atomic region begins here, its accesses are known from its rehearsal.
static void remember_region (state_search *s, uint32_t index) {
  const thread_snapshot *x = &s->reducer->view.threads[index];
  if (x->now.region)
    record_footprint (&s->reducer->traces[index], &x->now, 0, xs_exec_insn (&s->current, x->slot)->edge);
}

static void learn_transaction (state_search *s, uint32_t index) {
  thread_snapshot *x = &s->reducer->view.threads[index];
  const transaction_trace *trace = &s->reducer->traces[index];
  remember_region (s, index);
  for (uint32_t k = 0; k < trace->accesses.count; k++)
    if (trace->accesses.data[k].step) vec_push (&x->now.items, trace->accesses.data[k].access);
  stubborn_forget_conflicts (&s->reducer->view, index);
}

void mover_choose (state_search *s, state_id state, thread_choice *chosen) {
  state_reducer *r = s->reducer;
  state_snapshot *v = &r->view;
  stubborn_smallest (v, chosen);  // single steps: a set of one thread needs no transactions
  for (uint32_t k = 0; k < v->num_threads; k++) vec_clear (&r->traces[k].accesses);
  if (chosen->count == 1 && v->num_enabled > 1) {
    r->single_steps = true;
    return;
  }
  r->single_steps = false;
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].enabled) find_transaction_footprint (s, state, k);
  search_reload (s, state);
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].enabled) learn_transaction (s, k);
  stubborn_smallest (v, chosen);
}

// ---- races --------------------------------------------------------------------------------------------
static bool accesses_may_race (const transaction_access *a, const transaction_access *b) {
  return (a->access.write || b->access.write) && (a->access.plain || b->access.plain) &&
         xs_ranges_overlap (a->access.address, a->access.bytes, b->access.address, b->access.bytes);
}

// Executes so many steps of a thread; returns false if it cannot.
static bool take_thread_steps (state_search *s, uint32_t slot, uint32_t count) {
  current_state *w = &s->current;
  for (uint32_t k = 0; k < count; k++) {
    if (w->threads[slot].status != T_RUNNING || !xs_exec_enabled (w, slot)) return false;
    if (xs_exec_step (w, slot) != STEP_DONE) return false;
  }
  return w->threads[slot].status == T_RUNNING;
}

// Brings both threads, one after the other, through their right movers to the two accesses and reports the race between
// these.
static void try_race (state_search *s, state_id state, uint32_t first, const transaction_access *a, uint32_t second,
                      const transaction_access *b) {
  current_state *w = &s->current;
  vec_clear (&w->step.choices);
  do {
    search_reload (s, state);
    xs_step_begin (w);
    if (!take_thread_steps (s, first, a->step) || !take_thread_steps (s, second, b->step)) continue;
    if (xs_exec_insn (w, first)->edge != a->edge || xs_exec_insn (w, second)->edge != b->edge) continue;
    if (!xs_exec_conflict (&w->threads[first].pending, &w->threads[second].pending)) continue;
    if (w->threads[first].atomic && w->threads[second].atomic) continue;
    xs_exec_violate (w, IR_P_RACE, first, a->edge, second);
    vec_last (&w->step.violations).edges_before = 0;
    search_claim_violations (s, state);
    break;
  } while (xs_step_next_choices (w));
  vec_clear (&w->step.choices);
}

// An atomic region detects races with the next accesses of other threads while it runs: brings both threads there and
// executes the region.
static void try_region_race (state_search *s, state_id state, uint32_t region, const transaction_access *a,
                             uint32_t other, const transaction_access *b) {
  current_state *w = &s->current;
  vec_clear (&w->step.choices);
  do {
    search_reload (s, state);
    xs_step_begin (w);
    if (!take_thread_steps (s, other, b->step) || !take_thread_steps (s, region, a->step) ||
        !xs_exec_enabled (w, region))
      continue;
    xs_exec_step (w, region);
    if (w->step.violations.count) search_claim_violations (s, state);
  } while (xs_step_next_choices (w));
  vec_clear (&w->step.choices);
}

static void examine_pair (state_search *s, state_id state, uint32_t i, uint32_t j) {
  state_reducer *r = s->reducer;
  const transaction_trace *a = &r->traces[i], *b = &r->traces[j];
  uint32_t first = r->view.threads[i].slot, second = r->view.threads[j].slot;
  for (uint32_t m = 0; m < a->accesses.count; m++)
    for (uint32_t n = 0; n < b->accesses.count; n++) {
      const transaction_access *x = &a->accesses.data[m], *y = &b->accesses.data[n];
      if ((x->step || y->step) && accesses_may_race (x, y) && !search_race_claimed (s, x->edge, y->edge))
        try_race (s, state, first, x, second, y);
    }
}

// Accesses of a region were recorded at its first instruction; a thread inside a region was stopped there by a choice.
static bool is_region (state_search *s, state_id state, uint32_t slot, const transaction_access *a) {
  if (s->current.program->edges.data[a->edge].op == IR_ATOMIC_BEGIN) return true;
  if (a->step) return false;
  search_reload (s, state);
  return s->current.threads[slot].atomic;
}

static void examine_region (state_search *s, state_id state, uint32_t i, uint32_t j) {
  state_reducer *r = s->reducer;
  const transaction_trace *a = &r->traces[i], *b = &r->traces[j];
  uint32_t region = r->view.threads[i].slot, other = r->view.threads[j].slot;
  uint64_t last = UINT64_MAX;  // the numbers of steps that were tried last
  for (uint32_t m = 0; m < a->accesses.count; m++) {
    const transaction_access *x = &a->accesses.data[m];
    if (!is_region (s, state, region, x)) continue;
    for (uint32_t n = 0; n < b->accesses.count; n++) {
      const transaction_access *y = &b->accesses.data[n];
      uint64_t steps = (uint64_t) x->step << 32 | y->step;
      bool meets =
          accesses_may_race (x, y) || r->view.threads[i].now.everything;  // the footprint of the region is incomplete
      if (!steps || steps == last || !meets) continue;
      try_region_race (s, state, region, x, other, y);
      last = steps;
    }
  }
}

void mover_examine_races (state_search *s, state_id state, const thread_choice *chosen) {
  if (s->reducer->single_steps || !(s->current.semantics->properties >> IR_P_RACE & 1)) return;
  for (uint32_t i = 0; i < chosen->count; i++)
    for (uint32_t j = 0; j < chosen->count; j++) {
      if (i == j) continue;
      if (i < j) examine_pair (s, state, chosen->index[i], chosen->index[j]);
      examine_region (s, state, chosen->index[i], chosen->index[j]);
    }
}
