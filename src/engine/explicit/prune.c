// Pruning: states from which no goal can be reached. If no future of any thread contains an open goal (an assertion
// that may fail, two accesses that may race, a thread that may wait), the state needs no successors. Violations that
// were found already are no longer open goals. A memory error on the way does not matter if memory errors are not
// checked: futures continue after it.
#include "engine/explicit/explicit_reduce.h"
#include "engine/explicit/lock_antichain.h"

static bool any_check_open (const state_search *s, const thread_future *f) {
  for (uint32_t k = 0; k < f->checks.count; k++) {
    ir_property p = (ir_property) s->current.program->edges.data[f->checks.data[k]].aux;
    if (search_checks (s, p) && !search_check_known (s, p, f->checks.data[k])) return true;
  }
  return false;
}

// ---- races --------------------------------------------------------------------------------------------
// Returns the locks that the thread holds at the access: those that it holds now and keeps, and those that it acquires
// on the way.
static lock_state locks_at_access (const lock_state *now, const racy_access *a) {
  return lock_state_then (now, &a->locks);
}

typedef struct thread_future_at {
  const thread_future *later;
  lock_state now;
  lock_set alive;
} thread_future_at;

static bool can_race (const state_search *s, const thread_future_at *x, const racy_access *a, const thread_future_at *y,
                      const racy_access *b) {
  if (!(a->access.write || b->access.write) || !(a->plain || b->plain) ||
      !future_places_overlap (&s->current, &a->access, &b->access))
    return false;
  if (search_race_known (s, a->edge, b->edge)) return false;
  if (!suspects_have (s->run->suspects, (ir_edge){a->edge}, (ir_edge){b->edge})) return false;
  lock_state here = locks_at_access (&x->now, a), there = locks_at_access (&y->now, b);
  bool excluded = futures_use_locks (s->reducer->futures) && lock_states_exclude (&here, &there);
  if (excluded || (here.atomic && there.atomic)) return false;
  // the threads do not race if one of them must join the other first
  return antichain_avoids (&a->access.before, y->alive, 0) && antichain_avoids (&b->access.before, x->alive, 0);
}

static bool any_race_open (const state_search *s, const thread_future_at *x, const thread_future_at *y) {
  for (uint32_t j = 0; j < x->later->racy.count; j++)
    for (uint32_t k = 0; k < y->later->racy.count; k++)
      if (can_race (s, x, &x->later->racy.data[j], y, &y->later->racy.data[k])) return true;
  return false;
}

static bool races_open (state_search *s, state_snapshot *v) {
  thread_future_at sides[IR_MAX_THREADS];
  for (uint32_t k = 0; k < v->num_threads; k++) {
    uint32_t slot = v->threads[k].slot;
    sides[k] = (thread_future_at){futures_of (s->reducer->futures, &s->current, slot),
                                  futures_holding (s->reducer->futures, &s->current, slot), stubborn_alive (v, k)};
    if (sides[k].later->creates) return true;
  }
  for (uint32_t j = 0; j < v->num_threads; j++)
    for (uint32_t k = 0; k < j; k++)
      if (any_race_open (s, &sides[j], &sides[k])) return true;
  return false;
}

// ---- all goals ----------------------------------------------------------------------------------------
static bool deadlock_open (const state_search *s, const state_snapshot *v) {
  uint32_t joining = 0;
  for (uint32_t k = 0; k < v->num_threads; k++) {
    const thread_future *f = futures_of (s->reducer->futures, &s->current, v->threads[k].slot);
    if (f->blocks || f->loops || !v->threads[k].enabled) return true;
    joining += f->joins;
  }
  return joining > 1;
}

// Returns whether a violation of a checked property may still happen in this state or after it.
bool prune_worth_expanding (state_search *s, state_snapshot *v) {
  bool unsafe = false;
  for (uint32_t k = 0; k < v->num_threads; k++) {
    const thread_future *f = futures_of (s->reducer->futures, &s->current, v->threads[k].slot);
    if (f->everything || f->unsupported || any_check_open (s, f)) return true;
    // Misuse that would invalidate lock patterns and must-held locks must be found.
    if (futures_use_locks (s->reducer->futures) &&
        futures_may_release_foreign (s->reducer->futures, &s->current, v->threads[k].slot, f))
      return true;
    unsafe |= f->unsafe;
    bool misuse = f->locks || s->current.threads[v->threads[k].slot].held.count;
    if ((search_checks (s, IR_P_LOCKS) && misuse) || (search_checks (s, IR_P_MEMORY) && f->unsafe)) return true;
  }
  if (search_checks (s, IR_P_DEADLOCK) && deadlock_open (s, v)) return true;
  if (search_checks (s, IR_P_RACE) && races_open (s, v)) return true;
  s->reducer->counts.pruned_unsafe += unsafe;
  return false;
}
