// Conditional stubborn sets, CIRC section 3, figure 3 (Algo3): starting with one thread, add each thread that might be
// the first to interfere with what a member does next (step 2b), and for a blocked member a thread that can unblock it
// (step 2a); the enabled members are explored.
//
// The unit is the thread, not the transition: a thread's next transition is in the set or it is not. The relation is
// decided on futures. With lock patterns an access does not count if its thread must first acquire a lock that the
// member holds now.
#include <string.h>

#include "engine/explicit/explicit_stubborn.h"

#include "ir/sync.h"

// ---- the snapshot of a state --------------------------------------------------------------------------
void stubborn_take_snapshot (state_snapshot *v, current_state *w, thread_futures *f) {
  v->w = w;
  v->futures = f;
  v->num_threads = v->num_enabled = 0;
  v->forced = v->entangled = v->has_alive = false;
  for (uint32_t t = 0; t < w->num_slots; t++) {
    if (w->threads[t].status != T_RUNNING) continue;
    thread_snapshot *x = &v->threads[v->num_threads++];
    x->slot = t;
    x->known = false;
    x->enabled = xs_exec_enabled (w, t);
    x->later = NULL;
    v->entangled |= !x->enabled && w->threads[t].atomic;
    if (!x->enabled) continue;
    v->num_enabled++;
    v->forced |= w->threads[t].atomic > 0;
  }
  for (uint32_t k = 0; k < v->num_threads; k++) stubborn_forget_conflicts (v, k);
  if (!v->forced) return;
  v->num_enabled = 0;
  for (uint32_t k = 0; k < v->num_threads; k++) {
    bool inside = v->threads[k].enabled && w->threads[v->threads[k].slot].atomic && !v->num_enabled;
    v->threads[k].enabled = inside;
    v->num_enabled += inside;
  }
}

void stubborn_release (state_snapshot *v) {
  for (uint32_t k = 0; k < IR_MAX_THREADS; k++) vec_release (&v->threads[k].now.items);
}

void stubborn_forget_conflicts (state_snapshot *v, uint32_t index) {
  memset (v->conflicts[index], CONFLICT_UNKNOWN, v->num_threads);
}

static const thread_future *snapshot_future (state_snapshot *v, uint32_t index) {
  thread_snapshot *x = &v->threads[index];
  if (!x->later) x->later = futures_of (v->futures, v->w, x->slot);
  return x->later;
}

lock_set stubborn_held (state_snapshot *v, uint32_t index) {
  for (uint32_t k = 0; k < v->num_threads; k++) snapshot_future (v, k);  // this creates all lock bits
  return futures_held (v->futures, v->w, v->threads[index].slot);
}

// Computed for all threads at the first query, because most states need none of it.
lock_set stubborn_alive (state_snapshot *v, uint32_t index) {
  if (!v->has_alive) {
    for (uint32_t k = 0; k < v->num_threads; k++) snapshot_future (v, k);
    futures_alive (v->futures, v->w, v->alive);
    v->has_alive = true;
  }
  return v->alive[v->threads[index].slot];
}

static void fill_next_footprint (state_snapshot *v, uint32_t index) {
  thread_snapshot *x = &v->threads[index];
  if (x->known) return;
  x->known = true;
  next_footprint_rehearse (v->w, x->slot, &x->now);
  x->held = stubborn_held (v, index);
}

// ---- interference -------------------------------------------------------------------------------------
static bool conflicts_while_held (state_snapshot *v, const thread_snapshot *x, uint32_t other, lock_set held) {
  const thread_future *later = snapshot_future (v, other);
  for (uint32_t k = 0; k < x->now.items.count; k++)
    if (futures_may_conflict (v->futures, v->w, v->threads[other].slot, later, &x->now.items.data[k], held))
      return true;
  return false;
}

static bool may_be_interfered (state_snapshot *v, uint32_t index, uint32_t other, lock_set held) {
  const thread_snapshot *x = &v->threads[index];
  if (x->now.everything) return true;
  if (!conflicts_while_held (v, x, other, held)) return false;
  lock_set alive = stubborn_alive (v, index);
  return !alive || conflicts_while_held (v, x, other, held | alive);
}

bool stubborn_unreachable (state_snapshot *v, uint32_t index, lock_set held) {
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (k != index && may_be_interfered (v, index, k, held)) return false;
  return !v->entangled;
}

uint32_t stubborn_independent (state_snapshot *v) {
  for (uint32_t k = 0; k < v->num_threads; k++) {
    if (!v->threads[k].enabled) continue;
    if (v->forced || v->num_threads == 1) return k;
    if (v->entangled) return IR_NONE;
    fill_next_footprint (v, k);
    if (stubborn_unreachable (v, k, v->threads[k].held)) return k;
  }
  return IR_NONE;
}

bool stubborn_still_independent (state_snapshot *v, uint32_t index) {
  thread_snapshot *x = &v->threads[index];
  if (v->w->threads[x->slot].status != T_RUNNING || !xs_exec_enabled (v->w, x->slot)) return false;
  if (v->w->threads[x->slot].atomic) return true;
  if (v->num_threads == 1) return true;
  next_footprint_find (v->w, x->slot, &x->now);
  if (x->now.region) return false;  // a rehearsal needs a committed state
  return stubborn_unreachable (v, index, stubborn_held (v, index));
}

// ---- threads that can unblock a thread ----------------------------------------------------------------
typedef uint8_t member_set[IR_MAX_THREADS];

static void add_slot (const state_snapshot *v, member_set in, uint32_t slot) {
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (v->threads[k].slot == slot) in[k] = 1;
}

// Adds all threads that may access the object.
static void add_touching (state_snapshot *v, member_set in, uint32_t index, uint64_t address, uint32_t bytes) {
  step_access t = {address, bytes, true, true};
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (k != index && !in[k] &&
        futures_may_conflict (v->futures, v->w, v->threads[k].slot, snapshot_future (v, k), &t, 0))
      in[k] = 1;
}

static uint32_t some_reader (const state_snapshot *v, uint64_t address) {
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (xs_thread_held (v->w, v->threads[k].slot, address, HELD_READ)) return v->threads[k].slot;
  return IR_NONE;
}

static uint32_t find_once_runner (const state_snapshot *v, uint64_t address) {
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (xs_thread_held (v->w, v->threads[k].slot, address, HELD_ONCE)) return v->threads[k].slot;
  return IR_NONE;
}

// Returns the slot of the thread that must step before this lock can be acquired; owner words hold slot + 1.
static uint32_t holder (const state_snapshot *v, const insn *i, uint32_t slot) {
  uint64_t address = xs_exec_value (v->w, slot, i->a);
  const ir_sync *facts = ir_sync_of (i->ir);
  if (facts->action == IR_A_JOIN) return (uint32_t) address - 1;
  if (facts->family == IR_F_ONCE) return find_once_runner (v, address);
  if (facts->names_mutex) address = xs_exec_value (v->w, slot, i->b);
  ir_family family = facts->names_mutex ? IR_F_MUTEX : facts->family;
  uint32_t owner = xs_object_word_at (v->w, address, ir_word_at (v->w->program, family, IR_W_OWNER));
  return family == IR_F_RWLOCK && !owner ? some_reader (v, address) : owner - 1;
}

static void add_unblocking (state_snapshot *v, member_set in, uint32_t index) {
  uint32_t slot = v->threads[index].slot;
  const insn *i = xs_exec_insn (v->w, slot);
  uint64_t address = xs_exec_value (v->w, slot, i->a);
  const ir_sync *facts = ir_sync_of (i->ir);
  const ir_program *p = v->w->program;
  if (facts->needs && (!facts->names_mutex || v->w->threads[slot].waiting)) {
    add_touching (v, in, index, address, ir_family_bytes (p, facts->family));
    return;
  }
  add_slot (v, in, holder (v, i, slot));
  if (facts->action == IR_A_JOIN || futures_use_locks (v->futures)) return;
  // Misuse may release a lock of another thread; lock patterns are given up when that happens.
  if (facts->names_mutex)
    add_touching (v, in, index, xs_exec_value (v->w, slot, i->b), ir_family_bytes (p, IR_F_MUTEX));
  else add_touching (v, in, index, address, ir_family_bytes (p, facts->family));
}

// ---- closure ------------------------------------------------------------------------------------------
static bool interferes (state_snapshot *v, uint32_t index, uint32_t other) {
  uint8_t *fact = &v->conflicts[index][other];
  if (*fact == CONFLICT_UNKNOWN)
    *fact = may_be_interfered (v, index, other, v->threads[index].held) ? CONFLICT_YES : CONFLICT_NO;
  return *fact == CONFLICT_YES;
}

static void add_interfering (state_snapshot *v, member_set in, uint32_t index) {
  fill_next_footprint (v, index);
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (k != index && !in[k] && interferes (v, index, k)) in[k] = 1;
}

static void close_from (state_snapshot *v, uint32_t start, member_set in) {
  member_set done = {0};
  for (uint32_t k = 0; k < v->num_threads; k++) in[k] = k == start || v->entangled;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t k = 0; k < v->num_threads; k++) {
      if (!in[k] || done[k]) continue;
      done[k] = 1;
      more = true;
      if (v->threads[k].enabled) add_interfering (v, in, k);
      else add_unblocking (v, in, k);
    }
  }
}

void stubborn_from (state_snapshot *v, uint32_t start, thread_choice *out) {
  member_set in;
  close_from (v, start, in);
  out->count = 0;
  for (uint32_t k = 0; k < v->num_threads; k++)
    if (in[k] && v->threads[k].enabled) out->index[out->count++] = k;
}

void stubborn_smallest (state_snapshot *v, thread_choice *out) {
  out->count = 0;
  for (uint32_t start = 0; start < v->num_threads && out->count != 1; start++) {
    thread_choice set;
    if (!v->threads[start].enabled) continue;
    stubborn_from (v, start, &set);
    if (!out->count || set.count < out->count) *out = set;
  }
}
