// Expansion of a state under a reduction.  Where some thread may go alone it does, and the states on the way are not stored: only states
// where interleavings part are.  A successor is therefore reached by a big step: one thread's transaction, then whoever may go alone, as
// long as there is somebody; near the end it also goes on with several in turn (branch.c).  The log of a big step (thread, number of steps) is kept with the state it leads to.
#include <string.h>

#include "engine/explicit/transaction.h"

enum {
  BIG_STEP_STEPS = 4096 /* steps */,
  BIG_STEP_WAYS = 256 /* of choosing in one big step, before a state is stored */
};

step_result reduce_step (search *s, uint32_t slot) {
  reducer *r = s->reducer;
  if (r->log.count && vec_last (&r->log) >> STEP_COUNT_BITS == slot) vec_last (&r->log)++;
  else vec_push (&r->log, slot << STEP_COUNT_BITS | 1);
  r->counts.steps++;
  s->transitions++;
  return xs_exec_step (&s->world, slot);
}

// ---- choices -------------------------------------------------------------------------------------------
// Many values of an input often make no difference: the state they lead to need not be followed again.
static bool same_as_current (const reducer *r, const world *w, uint32_t at) {
  uint32_t count = r->outcome_ids.data[at];
  if (count != w->current.count) return false;
  return !memcmp (r->outcome_ids.data + at + 1, w->current.data, count * sizeof (uint32_t));
}

// Has another choice in this big step led to this committed state?  Asked where something has just been chosen: if there are later choices
// already, this place has been passed before.
static bool outcome_is_known (search *s) {
  reducer *r = s->reducer;
  const world *w = &s->world;
  if (!w->step.choices.count || w->step.choices.count != w->step.next_choice) return false;
  for (uint32_t at = 0; at < r->outcome_ids.count; at += r->outcome_ids.data[at] + 1)
    if (same_as_current (r, w, at)) return true;
  vec_push (&r->outcome_ids, w->current.count);
  for (uint32_t k = 0; k < w->current.count; k++) vec_push (&r->outcome_ids, w->current.data[k]);
  return false;
}

static bool many_ways (const world *w) {
  uint64_t ways = 1;
  for (uint32_t k = 0; k < w->step.choices.count && ways <= BIG_STEP_WAYS; k++)
    ways *= w->step.choices.data[k].alternatives;
  return ways > BIG_STEP_WAYS;
}

static bool long_enough (const search *s) {
  const world *w = &s->world;
  return many_ways (w) || s->reducer->log.count >= LOG_WORDS || w->step.came_round;
}

// The only enabled thread of a closed set may go alone too.  Not if its step ends the execution: those who are stuck must be seen first.
static uint32_t only_member (search *s) {
  state_view *v = &s->reducer->after;
  thread_choice chosen;
  race_pair pair;
  stubborn_smallest (v, &chosen);
  if (chosen.count != 1 || v->threads[chosen.index[0]].now.everything) return IR_NONE;
  return xs_detect_races (&s->world, &pair, 1) ? IR_NONE : chosen.index[0];
}

static bool worth_storing (search *s) {
  reducer *r = s->reducer;
  return !r->prune || prune_worth_expanding (s, &r->after);
}

typedef enum advance_kind { GO_ALONE, GO_ONE_STEP, STORE_HERE, END_HERE } advance_kind;

// What a big step does in a committed state, and with which thread.
static advance_kind decide (search *s, uint32_t steps, uint32_t *index) {
  state_view *v = &s->reducer->after;
  stubborn_look (v, &s->world, s->reducer->futures);
  if (!v->num_enabled) return worth_storing (s) ? STORE_HERE : END_HERE;
  if ((*index = branch_again (s, steps)) != IR_NONE) return GO_ONE_STEP;
  if ((*index = stubborn_alone (v)) != IR_NONE) return GO_ALONE;
  if ((*index = only_member (s)) != IR_NONE) return GO_ONE_STEP;
  if (!worth_storing (s)) return END_HERE;
  return (*index = branch_here (s, steps)) != IR_NONE ? GO_ONE_STEP : STORE_HERE;
}

// The world is committed.  True: it is at a state to be stored.  False: the execution has ended, or nothing that is asked for can follow.
static bool advance (search *s, step_result *result) {
  reducer *r = s->reducer;
  world *w = &s->world;
  for (uint32_t steps = 0; steps < BIG_STEP_STEPS && !long_enough (s);) {
    uint32_t chosen = w->step.next_choice;
    uint32_t k;
    advance_kind kind = decide (s, steps, &k);
    if (kind >= STORE_HERE) return kind == STORE_HERE;
    bool goes_on = kind == GO_ALONE;
    r->counts.transactions++;
    do {
      *result = reduce_step (s, r->after.threads[k].slot);
      if (*result != STEP_DONE) return false;
      goes_on &= !w->step.starts.count && w->step.next_choice == chosen;
    } while (++steps < BIG_STEP_STEPS && goes_on && !long_enough (s) && stubborn_still_alone (&r->after, k));
    world_commit (w);
    if (w->step.next_choice > chosen && !w->step.came_round && outcome_is_known (s)) return false;
  }
  return true;
}

// The end of a big step: at a state to be stored if it `ends_here`, else where nothing follows.
static void arrive (search *s, state_id state, step_result result, bool ends_here) {
  bool at_root = ends_here && s->reducer->branching.open;
  if (at_root) search_add_root (s, state);
  else if (ends_here) search_add_successor (s, state);
  search_note_result (s, state, result);
  if (at_root) branch_give_up (s);
}

void reduce_begin (search *s) {
  world *w = &s->world;
  if (s->reducer->transactions) {
    search_add_successor (s, IR_NONE);
    return;
  }
  search_check_limits (s);
  if (s->reducer->prune && s->shared->order == MIXED) probe_run (s);
  s->level = 1;  // what probing has found counts from here on
  do {
    step_result result = STEP_DONE;
    search_reload (s, IR_NONE);
    world_begin_step (w);
    vec_clear (&s->reducer->log);
    bool ends_here = !branch_begin (s) || advance (s, &result);
    arrive (s, IR_NONE, result, ends_here);
    search_check_limits (s);
  } while (!s->stopped && world_next_choices (w));
}

// ---- expansion -----------------------------------------------------------------------------------------
static void take_big_step (search *s, state_id state, uint32_t index) {
  reducer *r = s->reducer;
  world *w = &s->world;
  world_begin_step (w);
  vec_clear (&r->log);
  if (!branch_begin (s)) {
    arrive (s, state, STEP_DONE, true);
    return;
  }
  r->counts.transactions++;
  step_result result =
      r->right_movers && !r->single_steps ? mover_run (s, index) : reduce_step (s, r->view.threads[index].slot);
  bool ends_here = false;
  if (result == STEP_DONE) {
    world_commit (w);
    ends_here = !outcome_is_known (s) && advance (s, &result);
  }
  arrive (s, state, result, ends_here);
}

static void choose_all (const state_view *v, thread_choice *out) {
  out->count = 0;
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].enabled) out->index[out->count++] = k;
}

// A state where a loop has come round is expanded in full, so that no thread is put off for ever in a cycle.
static void choose (search *s, state_id state, thread_choice *chosen) {
  reducer *r = s->reducer;
  r->single_steps = search_expands_fully (s, state);
  if (r->single_steps) choose_all (&r->view, chosen);
  else if (r->right_movers) mover_choose (s, state, chosen);
  else stubborn_smallest (&r->view, chosen);
  if (r->prune) symmetry_drop (s, &r->view, chosen);
  r->counts.sets++;
  r->counts.set_threads += chosen->count;
  r->counts.enabled_threads += r->view.num_enabled;
}

static void examine_spin (search *s, state_id state) {
  uint32_t slots[IR_MAX_THREADS];
  search_reload (s, state);
  uint32_t enabled = xs_detect_enabled (&s->world, slots);
  search_examine_spin (s, state, slots, enabled);
}

void reduce_expand (search *s, state_id state) {
  reducer *r = s->reducer;
  world *w = &s->world;
  thread_choice chosen;
  uint32_t known = store_num_added (&s->store);
  search_reload (s, state);
  search_examine (s, state);
  stubborn_look (&r->view, w, r->futures);
  if (r->transactions) {
    transactions_expand (s, state);
    if (known == store_num_states (&s->store)) examine_spin (s, state);
    return;
  }
  if (!r->view.num_enabled || (r->prune && !prune_worth_expanding (s, &r->view))) return;
  choose (s, state, &chosen);
  if (r->right_movers) mover_examine_races (s, state, &chosen);
  for (uint32_t k = 0; k < chosen.count && !s->stopped; k++) {
    vec_clear (&w->step.choices);
    vec_clear (&r->outcome_ids);
    do {
      search_reload (s, state);
      take_big_step (s, state, chosen.index[k]);
      search_check_limits (s);
    } while (!s->stopped && world_next_choices (w));
  }
  if (known == store_num_added (&s->store)) examine_spin (s, state);
}

// ---- life cycle ----------------------------------------------------------------------------------------
reducer *reducer_new (search *s, reducer_options o) {
  reducer *r = mem_zalloc (sizeof *r);
  r->futures = futures_new (&s->world, o.use_locks, o.use_joins);
  r->right_movers = o.right_movers;
  r->prune = o.prune;
  s->world.reduced = true;
  return r;
}

reducer *reducer_new_transactions (search *s, bool right_movers) {
  reducer *r = mem_zalloc (sizeof *r);
  r->transactions = transactions_new (right_movers);
  s->world.reduced = s->world.watches_ended = true;
  return r;
}

bool reducer_misses_deadlocks (const reducer *r) {
  return r->right_movers || (r->transactions && r->transactions->right_movers);
}

void reducer_free (reducer *r) {
  if (!r) return;
  transactions_free (r->transactions);
  futures_free (r->futures);
  stubborn_release (&r->view);
  stubborn_release (&r->after);
  for (uint32_t k = 0; k < IR_MAX_THREADS; k++) vec_release (&r->traces[k].touches);
  vec_release (&r->scratch.items);
  vec_release (&r->log);
  vec_release (&r->outcome_ids);
  vec_release (&r->branching.ids);
  vec_release (&r->branching.log);
  vec_release (&r->branching.points);
  mem_free (r, sizeof *r);
}
