// Transactions that begin with right movers (TXN sections 2 and 4): after taking a lock a thread goes on at once, because whatever the others do
// next they could have done before.  An action is a right mover if, with the locks its thread holds afterwards, nobody can touch what it
// touched (the exclusive access predicate in the post-state); TXN decides that by protecting locks, we by futures, state by state.
//
// Such a transaction is explored as one transition, so the stubborn set is computed over all it touches.  Deadlocks are not preserved (TXN section 7).
#include "engine/explicit/reduce.h"
#include "ir/sync.h"

enum { TRANSACTION_STEPS = 64 };

// Taking a lock or accessing data can be a right mover; what lets others go on cannot.
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

static void remember (transaction_trace *trace, const touch_set *touched, uint32_t step, uint32_t edge) {
  for (uint32_t k = 0; k < touched->items.count; k++)
    vec_push (&trace->touches, ((transaction_touch){touched->items.data[k], step, edge}));
}

// Can the thread be followed further without asking anybody?  It stands before its next step; r->scratch is what that touches.
static bool goes_on (search *s, uint32_t slot) {
  const world *w = &s->world;
  reducer *r = s->reducer;
  if (w->threads[slot].status != T_RUNNING || w->step.starts.count || w->step.next_choice) return false;
  if (!xs_exec_enabled (w, slot)) return false;
  touch_next (w, slot, &r->scratch);
  return !r->scratch.everything && !r->scratch.region;
}

// Was what the step touched out of everybody's reach when it was done?
static bool moved_right (search *s, uint32_t index, const insn *i) {
  reducer *r = s->reducer;
  thread_view *x = &r->view.threads[index];
  if (!may_move_right (i) || s->world.step.came_round || s->world.threads[x->slot].status != T_RUNNING) return false;
  touch_set whole = x->now;
  x->now = r->scratch;
  bool free = stubborn_unreachable (&r->view, index, stubborn_held (&r->view, index));
  x->now = whole;
  return free;
}

// Runs one transaction; `trace`, if not NULL, gets what it touches.
static step_result run (search *s, uint32_t index, transaction_trace *trace) {
  world *w = &s->world;
  reducer *r = s->reducer;
  uint32_t slot = r->view.threads[index].slot;
  touch_next (w, slot, &r->scratch);
  for (uint32_t step = 0;; step++) {
    const insn *i = xs_exec_insn (w, slot);
    if (trace) remember (trace, &r->scratch, step, i->edge);
    bool first_of_many = !r->scratch.everything && !r->scratch.region && step < TRANSACTION_STEPS;
    step_result result = reduce_step (s, slot);
    if (result != STEP_DONE || !first_of_many || !moved_right (s, index, i) || !goes_on (s, slot)) return result;
  }
}

step_result mover_run (search *s, uint32_t index) { return run (s, index, NULL); }

// ---- choosing ------------------------------------------------------------------------------------------
// What a thread's next transaction touches.  It ends where something is chosen, so this does not depend on choices.
static void measure (search *s, state_id state, uint32_t index) {
  reducer *r = s->reducer;
  uint64_t transitions = s->transitions;
  reduction_counts counts = r->counts;
  vec_clear (&r->traces[index].touches);
  vec_clear (&s->world.step.choices);
  search_reload (s, state);
  world_begin_step (&s->world);
  run (s, index, &r->traces[index]);
  vec_clear (&s->world.step.choices);
  s->transitions = transitions;
  r->counts = counts;
}

// The world is at the state: what an atomic region touches that begins there is known from its rehearsal.
static void remember_region (search *s, uint32_t index) {
  const thread_view *x = &s->reducer->view.threads[index];
  if (x->now.region) remember (&s->reducer->traces[index], &x->now, 0, xs_exec_insn (&s->world, x->slot)->edge);
}

static void learn_transaction (search *s, uint32_t index) {
  thread_view *x = &s->reducer->view.threads[index];
  const transaction_trace *trace = &s->reducer->traces[index];
  remember_region (s, index);
  for (uint32_t k = 0; k < trace->touches.count; k++)
    if (trace->touches.data[k].step) vec_push (&x->now.items, trace->touches.data[k].touch);
  stubborn_forget (&s->reducer->view, index);
}

void mover_choose (search *s, state_id state, thread_choice *chosen) {
  reducer *r = s->reducer;
  state_view *v = &r->view;
  stubborn_smallest (v, chosen);  // single steps: a set of one needs no transactions
  for (uint32_t k = 0; k < v->num_threads; k++) vec_clear (&r->traces[k].touches);
  if (chosen->count == 1 && v->num_enabled > 1) {
    r->single_steps = true;
    return;
  }
  r->single_steps = false;
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].enabled) measure (s, state, k);
  search_reload (s, state);
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].enabled) learn_transaction (s, k);
  stubborn_smallest (v, chosen);
}

// ---- races ---------------------------------------------------------------------------------------------
static bool may_race (const transaction_touch *a, const transaction_touch *b) {
  return (a->touch.write || b->touch.write) && (a->touch.plain || b->touch.plain) &&
         touch_overlaps (a->touch.address, a->touch.bytes, b->touch.address, b->touch.bytes);
}

// Takes that many steps of a thread; false if it cannot.
static bool take_steps (search *s, uint32_t slot, uint32_t count) {
  world *w = &s->world;
  for (uint32_t k = 0; k < count; k++) {
    if (w->threads[slot].status != T_RUNNING || !xs_exec_enabled (w, slot)) return false;
    if (xs_exec_step (w, slot) != STEP_DONE) return false;
  }
  return w->threads[slot].status == T_RUNNING;
}

// Both threads go through their right movers to the accesses, one after the other: the state where they stand before them.
static void try_race (search *s, state_id state, uint32_t first, const transaction_touch *a, uint32_t second,
                      const transaction_touch *b) {
  world *w = &s->world;
  vec_clear (&w->step.choices);
  do {
    search_reload (s, state);
    world_begin_step (w);
    if (!take_steps (s, first, a->step) || !take_steps (s, second, b->step)) continue;
    if (xs_exec_insn (w, first)->edge != a->edge || xs_exec_insn (w, second)->edge != b->edge) continue;
    if (!xs_exec_conflict (&w->threads[first].pending, &w->threads[second].pending)) continue;
    if (w->threads[first].atomic && w->threads[second].atomic) continue;
    xs_exec_violate (w, IR_P_RACE, first, a->edge, second);
    vec_last (&w->step.violations).edges_before = 0;
    search_claim_violations (s, state);
    break;
  } while (world_next_choices (w));
  vec_clear (&w->step.choices);
}

// An atomic region looks for races itself, with those who stand before an access: brings both there.
static void try_region_race (search *s, state_id state, uint32_t region, const transaction_touch *a, uint32_t other,
                             const transaction_touch *b) {
  world *w = &s->world;
  vec_clear (&w->step.choices);
  do {
    search_reload (s, state);
    world_begin_step (w);
    if (!take_steps (s, other, b->step) || !take_steps (s, region, a->step) || !xs_exec_enabled (w, region)) continue;
    xs_exec_step (w, region);
    if (w->step.violations.count) search_claim_violations (s, state);
  } while (world_next_choices (w));
  vec_clear (&w->step.choices);
}

static void examine_pair (search *s, state_id state, uint32_t i, uint32_t j) {
  reducer *r = s->reducer;
  const transaction_trace *a = &r->traces[i], *b = &r->traces[j];
  uint32_t first = r->view.threads[i].slot, second = r->view.threads[j].slot;
  for (uint32_t m = 0; m < a->touches.count; m++)
    for (uint32_t n = 0; n < b->touches.count; n++) {
      const transaction_touch *x = &a->touches.data[m], *y = &b->touches.data[n];
      if ((x->step || y->step) && may_race (x, y) && !search_race_claimed (s, x->edge, y->edge))
        try_race (s, state, first, x, second, y);
    }
}

// What a region touches was noted where it is entered; a thread inside one has been cut off there by a choice.
static bool is_region (search *s, state_id state, uint32_t slot, const transaction_touch *a) {
  if (s->world.program->edges.data[a->edge].op == IR_ATOMIC_BEGIN) return true;
  if (a->step) return false;
  search_reload (s, state);
  return s->world.threads[slot].atomic;
}

static void examine_region (search *s, state_id state, uint32_t i, uint32_t j) {
  reducer *r = s->reducer;
  const transaction_trace *a = &r->traces[i], *b = &r->traces[j];
  uint32_t region = r->view.threads[i].slot, other = r->view.threads[j].slot;
  uint64_t last = UINT64_MAX;  // steps of both that were tried last
  for (uint32_t m = 0; m < a->touches.count; m++) {
    const transaction_touch *x = &a->touches.data[m];
    if (!is_region (s, state, region, x)) continue;
    for (uint32_t n = 0; n < b->touches.count; n++) {
      const transaction_touch *y = &b->touches.data[n];
      uint64_t steps = (uint64_t) x->step << 32 | y->step;
      bool meets = may_race (x, y) || r->view.threads[i].now.everything;  // not all of the region is known
      if (!steps || steps == last || !meets) continue;
      try_region_race (s, state, region, x, other, y);
      last = steps;
    }
  }
}

void mover_examine_races (search *s, state_id state, const thread_choice *chosen) {
  if (s->reducer->single_steps || !(s->world.semantics->properties >> IR_P_RACE & 1)) return;
  for (uint32_t i = 0; i < chosen->count; i++)
    for (uint32_t j = 0; j < chosen->count; j++) {
      if (i == j) continue;
      if (i < j) examine_pair (s, state, chosen->index[i], chosen->index[j]);
      examine_region (s, state, chosen->index[i], chosen->index[j]);
    }
}
