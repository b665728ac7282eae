// Detects violations in a state as a whole: races between threads whose next accesses conflict, and deadlocks.
#include "analysis/wakers.h"
#include "engine/explicit/explicit_impl.h"
#include "ir/sync.h"

static bool is_running_thread (const current_state *w, uint32_t slot) { return w->threads[slot].status == T_RUNNING; }

uint32_t xs_detect_enabled (const current_state *w, uint32_t *slots) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < w->num_slots; t++)
    if (is_running_thread (w, t) && xs_exec_enabled (w, t)) slots[count++] = t;
  for (uint32_t k = 0; k < count; k++)
    if (w->threads[slots[k]].atomic) {
      slots[0] = slots[k];
      return 1;
    }
  return count;
}

uint32_t xs_detect_races (const current_state *w, access_pair *pairs, uint32_t room) {
  uint32_t count = 0;
  for (uint32_t a = 0; a < w->num_slots; a++) {
    if (!is_running_thread (w, a) || !w->threads[a].pending.bytes) continue;
    for (uint32_t b = a + 1; b < w->num_slots && count < room; b++) {
      if (!is_running_thread (w, b) || (w->threads[a].atomic && w->threads[b].atomic)) continue;
      if (xs_exec_conflict (&w->threads[a].pending, &w->threads[b].pending)) pairs[count++] = (access_pair){{a, b}};
    }
  }
  return count;
}

// ---- deadlock -----------------------------------------------------------------------------------------
// A deadlock is the largest set of blocked threads that no thread outside the set can wake. Start with all blocked
// threads; remove each thread that waits for a thread outside the set until nothing changes.
typedef struct deadlock_candidates {
  const current_state *w;
  bool in[IR_MAX_THREADS];
} deadlock_candidates;

static uint8_t endable_waits (const current_state *w, uint32_t slot) {
  const state_thread *t = &w->threads[slot];
  uint8_t wakes = 0;
  for (uint32_t k = 0; k < t->frames.count; k++) {
    uint32_t edge = w->code->insns.data[t->frames.data[k].pc].edge;
    wakes |= w->wakers[w->program->edges.data[edge].from.i];
  }
  return wakes;
}

// Returns whether a running thread outside the set may still end a wait of this kind.
static bool any_waker (const deadlock_candidates *s, uint8_t kind) {
  for (uint32_t t = 0; t < s->w->num_slots; t++)
    if (is_running_thread (s->w, t) && !s->in[t] && (endable_waits (s->w, t) & kind)) return true;
  return false;
}

// An owner word holds slot + 1. An owner that has ended will never release the lock.
static bool is_outside (const deadlock_candidates *s, uint32_t owner) {
  return owner && owner <= s->w->num_slots && is_running_thread (s->w, owner - 1) && !s->in[owner - 1];
}

// A writer waits for all readers. Readers that have ended are still counted in the lock's word, but will never release
// it.
static bool readers_outside (const deadlock_candidates *s, uint64_t address) {
  uint32_t living = 0;
  for (uint32_t t = 0; t < s->w->num_slots; t++) {
    const state_held_lock *h = is_running_thread (s->w, t) ? xs_thread_held (s->w, t, address, HELD_READ) : NULL;
    if (h && s->in[t]) return false;
    living += h ? h->count : 0;
  }
  return xs_object_word_at (s->w, address, IR_RW_READERS) <= living;
}

static bool once_runner_outside (const deadlock_candidates *s, uint64_t address) {
  for (uint32_t t = 0; t < s->w->num_slots; t++)
    if (is_running_thread (s->w, t) && xs_thread_held (s->w, t, address, HELD_ONCE)) return !s->in[t];
  return false;
}

static bool holder_outside (const deadlock_candidates *s, ir_family family, uint64_t address) {
  uint32_t owner = xs_object_word_at (s->w, address, ir_word_at (s->w->program, family, IR_W_OWNER));
  return family == IR_F_RWLOCK && !owner ? readers_outside (s, address) : is_outside (s, owner);
}

static bool can_be_freed (const deadlock_candidates *s, uint32_t slot) {
  const current_state *w = s->w;
  const insn *i = xs_exec_insn (w, slot);
  const ir_sync *facts = ir_sync_of (i->ir);
  uint64_t address = xs_exec_value (w, slot, i->a);
  if (facts->action == IR_A_JOIN) return is_outside (s, (uint32_t) address);
  if (facts->family == IR_F_ONCE) return once_runner_outside (s, address);
  if (facts->needs && (!facts->names_mutex || w->threads[slot].waiting)) return any_waker (s, facts->needs);
  if (facts->names_mutex) return holder_outside (s, IR_F_MUTEX, xs_exec_value (w, slot, i->b));
  return holder_outside (s, facts->family, address);
}

// Removes each thread that waits for a thread outside the set until nothing changes; returns the size of the set.
static uint32_t remove_wakeable_threads (deadlock_candidates *s) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < s->w->num_slots; t++) count += s->in[t];
  for (bool changed = count > 0; changed;) {
    changed = false;
    for (uint32_t t = 0; t < s->w->num_slots; t++)
      if (s->in[t] && can_be_freed (s, t)) {
        s->in[t] = false;
        count--;
        changed = true;
      }
  }
  return count;
}

static uint32_t list (const deadlock_candidates *s, uint32_t *slots) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < s->w->num_slots; t++)
    if (s->in[t]) slots[count++] = t;
  return count;
}

uint32_t xs_detect_deadlock (const current_state *w, uint32_t *slots) {
  deadlock_candidates s = {.w = w};
  for (uint32_t t = 0; t < w->num_slots; t++) s.in[t] = is_running_thread (w, t) && !xs_exec_enabled (w, t);
  return remove_wakeable_threads (&s) ? list (&s, slots) : 0;
}

// Removes one thread after the other as long as some of the remaining ones still block each other.
uint32_t xs_detect_core (const current_state *w, const uint32_t *stuck, uint32_t count, uint32_t *core) {
  deadlock_candidates s = {.w = w};
  for (uint32_t k = 0; k < count; k++) s.in[stuck[k]] = true;
  if (!remove_wakeable_threads (&s)) return 0;
  for (uint32_t t = w->num_slots; t-- > 0;) {
    deadlock_candidates rest = s;
    if (!s.in[t]) continue;
    rest.in[t] = false;
    if (remove_wakeable_threads (&rest)) s = rest;
  }
  return list (&s, core);
}
