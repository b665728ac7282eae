// Expansion of a state under a reduction. If the step of one thread is independent of all others, the search takes only
// that step and does not store the state after it; it stores only states where interleavings branch. A successor is
// therefore reached by a big step: one transaction of one thread, then further independent steps as long as there are
// any; near the end of all executions a big step also continues with several threads in turn (branch.c). The log of a
// big step (thread, number of steps) is stored with the state it leads to.
#include <string.h>

#include "engine/explicit/transaction.h"

enum {
  BIG_STEP_STEPS = 4096 /* steps */,
  BIG_STEP_PATHS = 256 /* of choosing in one big step, before a state is stored */
};

step_result reduce_step (state_search *s, uint32_t slot) {
  state_reducer *r = s->reducer;
  if (r->log.count && vec_last (&r->log) >> STEP_COUNT_BITS == slot) vec_last (&r->log)++;
  else vec_push (&r->log, slot << STEP_COUNT_BITS | 1);
  r->counts.steps++;
  s->transitions++;
  return xs_exec_step (&s->current, slot);
}

// ---- choices ------------------------------------------------------------------------------------------
// Many values of an input often make no difference: the state that they lead to need not be explored again.
static bool same_as_current (const state_reducer *r, const current_state *w, uint32_t at) {
  uint32_t count = r->outcome_ids.data[at];
  if (count != w->ids.count) return false;
  return !memcmp (r->outcome_ids.data + at + 1, w->ids.data, count * sizeof (uint32_t));
}

// Returns whether another choice in this big step led to the same committed state. Called where something has just been
// chosen; if later choices exist already, this point was passed before.
static bool outcome_is_known (state_search *s) {
  state_reducer *r = s->reducer;
  const current_state *w = &s->current;
  if (!w->step.choices.count || w->step.choices.count != w->step.next_choice) return false;
  for (uint32_t at = 0; at < r->outcome_ids.count; at += r->outcome_ids.data[at] + 1)
    if (same_as_current (r, w, at)) return true;
  vec_push (&r->outcome_ids, w->ids.count);
  for (uint32_t k = 0; k < w->ids.count; k++) vec_push (&r->outcome_ids, w->ids.data[k]);
  return false;
}

static bool has_many_choices (const current_state *w) {
  uint64_t ways = 1;
  for (uint32_t k = 0; k < w->step.choices.count && ways <= BIG_STEP_PATHS; k++)
    ways *= w->step.choices.data[k].alternatives;
  return ways > BIG_STEP_PATHS;
}

static bool big_step_is_over (const state_search *s) {
  const current_state *w = &s->current;
  return has_many_choices (w) || s->reducer->log.count >= LOG_WORDS || w->step.took_sticky_jump;
}

// Returns the only enabled thread of a closed set, whose step may be taken alone, too; but not if its step ends the
// execution, because deadlocked threads must be reported first.
static uint32_t only_member (state_search *s) {
  state_snapshot *v = &s->reducer->after;
  thread_choice chosen;
  access_pair pair;
  stubborn_smallest (v, &chosen);
  if (chosen.count != 1 || v->threads[chosen.index[0]].now.everything) return IR_NONE;
  return xs_detect_races (&s->current, &pair, 1) ? IR_NONE : chosen.index[0];
}

static bool worth_storing (state_search *s) {
  state_reducer *r = s->reducer;
  return !r->prune || prune_worth_expanding (s, &r->after);
}

typedef enum advance_kind { GO_INDEPENDENT, GO_ONE_STEP, STORE_HERE, END_HERE } advance_kind;

// Decides what a big step does in a committed state, and with which thread.
static advance_kind decide_advance (state_search *s, uint32_t steps, uint32_t *index) {
  state_snapshot *v = &s->reducer->after;
  stubborn_take_snapshot (v, &s->current, s->reducer->futures);
  if (!v->num_enabled) return worth_storing (s) ? STORE_HERE : END_HERE;
  if ((*index = branch_again (s, steps)) != IR_NONE) return GO_ONE_STEP;
  if ((*index = stubborn_independent (v)) != IR_NONE) return GO_INDEPENDENT;
  if ((*index = only_member (s)) != IR_NONE) return GO_ONE_STEP;
  if (!worth_storing (s)) return END_HERE;
  return (*index = branch_first_time (s, steps)) != IR_NONE ? GO_ONE_STEP : STORE_HERE;
}

// Continues a big step from a committed state. Returns true at a state to be stored, and false if the execution has
// ended or no goal can be reached any more.
static bool continue_big_step (state_search *s, step_result *result) {
  state_reducer *r = s->reducer;
  current_state *w = &s->current;
  for (uint32_t steps = 0; steps < BIG_STEP_STEPS && !big_step_is_over (s);) {
    uint32_t chosen = w->step.next_choice;
    uint32_t k;
    advance_kind kind = decide_advance (s, steps, &k);
    if (kind >= STORE_HERE) return kind == STORE_HERE;
    bool goes_on = kind == GO_INDEPENDENT;
    r->counts.transactions++;
    do {
      *result = reduce_step (s, r->after.threads[k].slot);
      if (*result != STEP_DONE) return false;
      goes_on &= !w->step.starts.count && w->step.next_choice == chosen;
    } while (++steps < BIG_STEP_STEPS && goes_on && !big_step_is_over (s) && stubborn_still_independent (&r->after, k));
    xs_state_commit (w);
    if (w->step.next_choice > chosen && !w->step.took_sticky_jump && outcome_is_known (s)) return false;
  }
  return true;
}

// Ends a big step: stores the state if `ends_here`; otherwise nothing follows it.
static void end_big_step (state_search *s, state_id state, step_result result, bool ends_here) {
  bool at_root = ends_here && s->reducer->branching.open;
  if (at_root) search_add_root (s, state);
  else if (ends_here) search_add_successor (s, state);
  search_note_result (s, state, result);
  if (at_root) branch_give_up (s);
}

void reduce_begin (state_search *s) {
  current_state *w = &s->current;
  if (s->reducer->transactions) {
    search_add_successor (s, IR_NONE);
    return;
  }
  search_check_limits (s);
  if (s->reducer->prune && s->shared->order == MIXED) probe_run (s);
  s->level = 1;  // claims of the probing runs count as known from here on
  do {
    step_result result = STEP_DONE;
    search_reload (s, IR_NONE);
    xs_step_begin (w);
    vec_clear (&s->reducer->log);
    bool ends_here = !branch_begin (s) || continue_big_step (s, &result);
    end_big_step (s, IR_NONE, result, ends_here);
    search_check_limits (s);
  } while (!s->stopped && xs_step_next_choices (w));
}

// ---- expansion ----------------------------------------------------------------------------------------
static void take_big_step (state_search *s, state_id state, uint32_t index) {
  state_reducer *r = s->reducer;
  current_state *w = &s->current;
  xs_step_begin (w);
  vec_clear (&r->log);
  if (!branch_begin (s)) {
    end_big_step (s, state, STEP_DONE, true);
    return;
  }
  r->counts.transactions++;
  step_result result =
      r->right_movers && !r->single_steps ? mover_run (s, index) : reduce_step (s, r->view.threads[index].slot);
  bool ends_here = false;
  if (result == STEP_DONE) {
    xs_state_commit (w);
    ends_here = !outcome_is_known (s) && continue_big_step (s, &result);
  }
  end_big_step (s, state, result, ends_here);
}

static void choose_all_enabled (const state_snapshot *v, thread_choice *out) {
  out->count = 0;
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].enabled) out->index[out->count++] = k;
}

// A state that was reached by a sticky jump is expanded in full, so that no thread is ignored for ever in a cycle (the
// ignoring problem).
static void choose_explored_threads (state_search *s, state_id state, thread_choice *chosen) {
  state_reducer *r = s->reducer;
  r->single_steps = search_expands_fully (s, state);
  if (r->single_steps) choose_all_enabled (&r->view, chosen);
  else if (r->right_movers) mover_choose (s, state, chosen);
  else stubborn_smallest (&r->view, chosen);
  if (r->prune) symmetry_drop (s, &r->view, chosen);
  r->counts.sets++;
  r->counts.set_threads += chosen->count;
  r->counts.enabled_threads += r->view.num_enabled;
}

static void examine_busy_wait (state_search *s, state_id state) {
  uint32_t slots[IR_MAX_THREADS];
  search_reload (s, state);
  uint32_t enabled = xs_detect_enabled (&s->current, slots);
  search_examine_busy_wait (s, state, slots, enabled);
}

void reduce_expand (state_search *s, state_id state) {
  state_reducer *r = s->reducer;
  current_state *w = &s->current;
  thread_choice chosen;
  uint32_t known = store_num_added (&s->store);
  search_reload (s, state);
  search_examine (s, state);
  stubborn_take_snapshot (&r->view, w, r->futures);
  if (r->transactions) {
    transactions_expand (s, state);
    if (known == store_num_states (&s->store)) examine_busy_wait (s, state);
    return;
  }
  if (!r->view.num_enabled || (r->prune && !prune_worth_expanding (s, &r->view))) return;
  choose_explored_threads (s, state, &chosen);
  if (r->right_movers) mover_examine_races (s, state, &chosen);
  for (uint32_t k = 0; k < chosen.count && !s->stopped; k++) {
    vec_clear (&w->step.choices);
    vec_clear (&r->outcome_ids);
    do {
      search_reload (s, state);
      take_big_step (s, state, chosen.index[k]);
      search_check_limits (s);
    } while (!s->stopped && xs_step_next_choices (w));
  }
  if (known == store_num_added (&s->store)) examine_busy_wait (s, state);
}

// ---- life cycle ---------------------------------------------------------------------------------------
state_reducer *reducer_new (state_search *s, reducer_options o) {
  state_reducer *r = mem_zalloc (sizeof *r);
  r->futures = futures_new (&s->current, o.use_locks, o.use_joins);
  r->right_movers = o.right_movers;
  r->prune = o.prune;
  s->current.reduced = true;
  return r;
}

state_reducer *reducer_new_transactions (state_search *s, bool right_movers) {
  state_reducer *r = mem_zalloc (sizeof *r);
  r->transactions = transactions_new (right_movers);
  s->current.reduced = s->current.notices_ended = true;
  return r;
}

bool reducer_misses_deadlocks (const state_reducer *r) {
  return r->right_movers || (r->transactions && r->transactions->right_movers);
}

void reducer_free (state_reducer *r) {
  if (!r) return;
  transactions_free (r->transactions);
  futures_free (r->futures);
  stubborn_release (&r->view);
  stubborn_release (&r->after);
  for (uint32_t k = 0; k < IR_MAX_THREADS; k++) vec_release (&r->traces[k].accesses);
  vec_release (&r->scratch.items);
  vec_release (&r->log);
  vec_release (&r->outcome_ids);
  vec_release (&r->branching.ids);
  vec_release (&r->branching.log);
  vec_release (&r->branching.points);
  mem_free (r, sizeof *r);
}
