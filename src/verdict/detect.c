// Detects races and deadlocks in the current state of the machine, as the section "Properties" of docs/formats/ir.md
// defines them.
//
// A race: two threads are about to execute conflicting accesses.  The accesses of a thread depend on its own registers
// only, so they are computed once per step of that thread and kept.
//
// A deadlock: the largest set of blocked threads that no thread outside the set can wake.  The search begins with all
// blocked threads and removes those whose wait a thread outside the set may end, until nothing changes.
#include "analysis/wakers.h"
#include "verdict/verdict_impl.h"

// ---- accesses ------------------------------------------------------------------------------------------

static void add_pending_access (judge_pending *p, uint64_t address, uint64_t bytes, bool write, bool plain) {
  if (bytes) p->access[p->count++] = (judge_access){address, (uint32_t) bytes, write, plain};
}

static void sync_accesses (const action *a, judge_pending *p) {
  sync_use uses[2];
  unsigned n = sync_uses (a, uses);
  for (unsigned i = sync_first_touched (a->d->op); i < n; i++)
    add_pending_access (p, uses[i].address, 4, a->d->op != IR_SEM_GETVALUE, false);
}

static void memory_accesses (const action *a, judge_pending *p) {
  bool plain = a->d->order == IR_PLAIN;
  object *o;
  uint64_t address;
  switch (a->d->op) {
  case IR_FENCE:
  case IR_OWN:
  case IR_FORGET: return;
  case IR_FREE:
    address = (uint64_t) action_arg (a, 0);
    if (memory_free_check (a->m, address, &o) == IR_FAULT_NONE && o)
      add_pending_access (p, address, o->size, true, true);
    return;
  case IR_LOAD:
  case IR_LOAD_RAW: add_pending_access (p, (uint64_t) action_arg (a, 0), a->d->bytes, false, plain); return;
  default: add_pending_access (p, (uint64_t) action_arg (a, 0), a->d->bytes, true, plain); return;
  }
}

const judge_pending *pending_of (machine *m, uint32_t slot) {
  judge_pending *p = &m->threads[slot].pending;
  if (p->known) return p;
  *p = (judge_pending){.known = true};
  if (m->threads[slot].state != THREAD_RUNNING) return p;
  action a = action_of (m, slot);
  char group = ir_op_table[a.d->op].group;
  if (group == 'M') memory_accesses (&a, p);
  else if (group == 'S') sync_accesses (&a, p);
  else if (a.d->op == IR_THREAD_CREATE)
    add_pending_access (p, (uint64_t) action_arg (&a, 0), m->program->pointer_bits / 8, true, false);
  return p;
}

// ---- race ----------------------------------------------------------------------------------------------

static bool accesses_overlap (const judge_access *x, const judge_access *y) {
  return x->address < y->address + y->bytes && y->address < x->address + x->bytes;
}

// Whether the access is executed.  An access that is a memory error is not, so it races with nothing.
static bool is_valid_access (machine *m, const judge_access *x) {
  return memory_check (m, x->address, x->bytes, x->write) == IR_FAULT_NONE;
}

bool detect_race (machine *m, uint32_t slot, uint32_t other, judge_access which[2]) {
  if (slot == other || (m->threads[slot].atomic && m->threads[other].atomic)) return false;
  const judge_pending *p = pending_of (m, slot), *q = pending_of (m, other);
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned j = 0; j < q->count; j++) {
      const judge_access *x = &p->access[i], *y = &q->access[j];
      if (!accesses_overlap (x, y) || !(x->write || y->write) || !(x->plain || y->plain)) continue;
      if (!is_valid_access (m, x) || !is_valid_access (m, y)) continue;
      which[0] = *x;
      which[1] = *y;
      return true;
    }
  return false;
}

// ---- deadlock ------------------------------------------------------------------------------------------

// Whether the holder may release what it holds: its thread still runs and is not stuck itself.
static bool can_release (machine *m, const bool *stuck, uint32_t holder) {
  return holder < IR_MAX_THREADS && m->threads[holder].state == THREAD_RUNNING && !stuck[holder];
}

static wait_cause held_by (machine *m, const bool *stuck, uint64_t address, uint32_t holder, bool *lasting) {
  bool runs = holder < IR_MAX_THREADS && m->threads[holder].state == THREAD_RUNNING;
  *lasting = !can_release (m, stuck, holder);
  return (wait_cause){.kind = WAIT_LOCK, .address = address, .holder = runs ? holder : IR_NONE};
}

// A writer waits for all readers: one reader that is stuck or has ended is enough to keep the writer waiting.
static wait_cause held_by_readers (machine *m, const bool *stuck, sync_use s, bool *lasting) {
  wait_cause cause = {.kind = WAIT_LOCK, .address = s.address, .holder = IR_NONE, .shared = true};
  uint32_t living = 0, any = IR_NONE;
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    uint32_t n = lock_count (&m->threads[slot], s.address, LOCK_READ);
    living += n;
    if (n && any == IR_NONE) any = slot;
    if (n && stuck[slot] && cause.holder == IR_NONE) cause.holder = slot;
  }
  bool ended = sync_word (m, s, IR_RW_READERS) > living;
  *lasting = ended || cause.holder != IR_NONE;
  if (!*lasting) cause.holder = any;
  return cause;
}

static uint32_t thread_running_once (machine *m, uint64_t address) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (lock_count (&m->threads[slot], address, LOCK_ONCE)) return slot;
  return IR_NONE;
}

static uint8_t kinds_it_can_wake (machine *m, const thread *t) {
  if (!m->wakers) m->wakers = wakers_new (m->program);
  uint8_t wakes = 0;
  for (uint32_t k = 0; k < t->frames.count; k++) {
    const judge_frame *f = &t->frames.data[k];
    ir_loc at = k + 1 < t->frames.count ? ir_edge_at (m->program, f->call)->from : f->loc;
    wakes |= m->wakers[at.i];
  }
  return wakes;
}

// Whether no thread outside the set can end a wait of this kind.
static bool no_other_thread_wakes (machine *m, const bool *stuck, uint8_t kind) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (m->threads[slot].state == THREAD_RUNNING && !stuck[slot] && (kinds_it_can_wake (m, &m->threads[slot]) & kind))
      return false;
  return true;
}

static wait_cause wait_for_any_thread (machine *m, const bool *stuck, int kind, uint64_t address, bool *lasting) {
  *lasting = no_other_thread_wakes (m, stuck,
                                    kind == WAIT_COND  ? IR_WAKES_COND
                                    : kind == WAIT_SEM ? IR_WAKES_SEM
                                                       : IR_WAKES_BARRIER);
  return (wait_cause){.kind = kind, .address = address, .holder = IR_NONE};
}

// Returns why the blocked thread waits.  *lasting: the wait lasts as long as the stuck threads do not move.
static wait_cause wait_cause_of (machine *m, uint32_t slot, const bool *stuck, bool *lasting) {
  action a = action_of (m, slot);
  if (a.d->op == IR_THREAD_JOIN) {
    thread *target = thread_of_handle (m, action_arg (&a, 0));
    uint32_t holder = target ? target->slot : IR_NONE;
    *lasting = !can_release (m, stuck, holder);
    return (wait_cause){.kind = WAIT_THREAD, .holder = holder};
  }
  sync_use uses[2] = {{SYNC_NONE, 0}, {SYNC_NONE, 0}};
  sync_uses (&a, uses);
  switch (a.d->op) {
  case IR_MUTEX_LOCK: return held_by (m, stuck, uses[0].address, sync_word (m, uses[0], IR_MUTEX_OWNER) - 1, lasting);
  case IR_SPIN_LOCK: return held_by (m, stuck, uses[0].address, sync_word (m, uses[0], IR_SPIN_OWNER) - 1, lasting);
  case IR_RW_RDLOCK:
  case IR_RW_WRLOCK:
    if (!sync_word (m, uses[0], IR_RW_WRITER)) return held_by_readers (m, stuck, uses[0], lasting);
    return held_by (m, stuck, uses[0].address, sync_word (m, uses[0], IR_RW_WRITER) - 1, lasting);
  case IR_ONCE_BEGIN: {
    wait_cause cause = held_by (m, stuck, uses[0].address, thread_running_once (m, uses[0].address), lasting);
    cause.kind = WAIT_ONCE;
    return cause;
  }
  case IR_COND_RESUME:
    if (m->threads[slot].waiting) return wait_for_any_thread (m, stuck, WAIT_COND, uses[0].address, lasting);
    break;
  case IR_COND_TIMEDRESUME: break;
  case IR_SEM_WAIT: return wait_for_any_thread (m, stuck, WAIT_SEM, uses[0].address, lasting);
  default: return wait_for_any_thread (m, stuck, WAIT_BARRIER, m->threads[slot].waiting, lasting);
  }
  return held_by (m, stuck, uses[1].address, sync_word (m, uses[1], IR_MUTEX_OWNER) - 1, lasting);
}

uint32_t detect_lasting (machine *m, bool stuck[IR_MAX_THREADS]) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < m->num_slots; slot++) count += stuck[slot];
  for (bool changed = count > 0; changed;) {
    changed = false;
    for (uint32_t slot = 0; slot < m->num_slots; slot++) {
      bool lasting;
      if (!stuck[slot] || (wait_cause_of (m, slot, stuck, &lasting), lasting)) continue;
      stuck[slot] = false;
      count--;
      changed = true;
    }
  }
  return count;
}

uint32_t detect_stuck (machine *m, bool stuck[IR_MAX_THREADS]) {
  memset (stuck, 0, sizeof (bool) * IR_MAX_THREADS);
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    if (m->threads[slot].state != THREAD_RUNNING) continue;
    action a = action_of (m, slot);
    stuck[slot] = !action_enabled (&a);
  }
  return detect_lasting (m, stuck);
}

wait_cause detect_cause (machine *m, uint32_t slot, const bool stuck[IR_MAX_THREADS]) {
  bool lasting;
  return wait_cause_of (m, slot, stuck, &lasting);
}
