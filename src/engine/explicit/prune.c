// Goals that are out of reach.  From a state where no future of any thread holds an open goal (an assertion that may fail, two accesses
// that may race, somebody who may wait) nothing that is asked for can be reached any more, so the state needs no successors.  What has been
// found already is no longer open.  A memory error on the way changes nothing if nobody asks for memory errors: futures go on behind it.
#include "engine/explicit/lock_family.h"
#include "engine/explicit/reduce.h"

static bool selected (const search *s, ir_property p) { return s->world.semantics->properties >> p & 1; }

static bool any_check_open (const search *s, const future *f) {
  for (uint32_t k = 0; k < f->checks.count; k++) {
    ir_property p = (ir_property) s->world.program->edges.data[f->checks.data[k]].aux;
    if (selected (s, p) && !search_check_known (s, p, f->checks.data[k])) return true;
  }
  return false;
}

// ---- races ---------------------------------------------------------------------------------------------
// What the thread holds at the access: locks it has now and keeps, and those it takes on the way.
static lock_state held_at (const lock_state *now, const racy_access *a) { return lock_state_then (now, &a->locks); }

typedef struct side {
  const future *later;
  lock_state now;
  lock_set alive;
} side;

static bool can_race (const search *s, const side *x, const racy_access *a, const side *y, const racy_access *b) {
  if (!(a->access.write || b->access.write) || !(a->plain || b->plain) ||
      !future_places_overlap (&s->world, &a->access, &b->access))
    return false;
  if (search_race_known (s, a->edge, b->edge)) return false;
  if (!suspects_have (s->run->suspects, (ir_edge){a->edge}, (ir_edge){b->edge})) return false;
  lock_state here = held_at (&x->now, a), there = held_at (&y->now, b);
  bool excluded = futures_use_locks (s->reducer->futures) && lock_states_exclude (&here, &there);
  if (excluded || (here.atomic && there.atomic)) return false;
  // not if one of them must first join the other
  return family_avoids (&a->access.before, y->alive, 0) && family_avoids (&b->access.before, x->alive, 0);
}

static bool any_race_open (const search *s, const side *x, const side *y) {
  for (uint32_t j = 0; j < x->later->racy.count; j++)
    for (uint32_t k = 0; k < y->later->racy.count; k++)
      if (can_race (s, x, &x->later->racy.data[j], y, &y->later->racy.data[k])) return true;
  return false;
}

static bool races_open (search *s, state_view *v) {
  side sides[IR_MAX_THREADS];
  for (uint32_t k = 0; k < v->num_threads; k++) {
    uint32_t slot = v->threads[k].slot;
    sides[k] = (side){futures_of (s->reducer->futures, &s->world, slot),
                      futures_holding (s->reducer->futures, &s->world, slot), stubborn_alive (v, k)};
    if (sides[k].later->creates) return true;
  }
  for (uint32_t j = 0; j < v->num_threads; j++)
    for (uint32_t k = 0; k < j; k++)
      if (any_race_open (s, &sides[j], &sides[k])) return true;
  return false;
}

// ---- all -----------------------------------------------------------------------------------------------
static bool deadlock_open (const search *s, const state_view *v) {
  uint32_t joining = 0;
  for (uint32_t k = 0; k < v->num_threads; k++) {
    const future *f = futures_of (s->reducer->futures, &s->world, v->threads[k].slot);
    if (f->blocks || f->loops || !v->threads[k].enabled) return true;
    joining += f->joins;
  }
  return joining > 1;
}

// May something that is asked for still happen in this state or after it?
bool prune_worth_expanding (search *s, state_view *v) {
  bool unsafe = false;
  for (uint32_t k = 0; k < v->num_threads; k++) {
    const future *f = futures_of (s->reducer->futures, &s->world, v->threads[k].slot);
    if (f->everything || f->unsupported || any_check_open (s, f)) return true;
    // What lock patterns and lock states take for granted must be seen to hold.
    if (futures_use_locks (s->reducer->futures) &&
        futures_may_release_foreign (s->reducer->futures, &s->world, v->threads[k].slot, f))
      return true;
    unsafe |= f->unsafe;
    bool misuse = f->locks || s->world.threads[v->threads[k].slot].held.count;
    if ((selected (s, IR_P_LOCKS) && misuse) || (selected (s, IR_P_MEMORY) && f->unsafe)) return true;
  }
  if (selected (s, IR_P_DEADLOCK) && deadlock_open (s, v)) return true;
  if (selected (s, IR_P_RACE) && races_open (s, v)) return true;
  s->reducer->counts.pruned_unsafe += unsafe;
  return false;
}
