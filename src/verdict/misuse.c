// Property `locks`: decides what is wrong with a synchronisation or thread operation before the operation is executed.
// The operation itself then continues as docs/formats/ir.md says, so this file changes nothing.
#include "ir/sync.h"
#include "verdict/verdict_impl.h"

static ir_fault mutex_misuse (const action *a, sync_use s) {
  machine *m = a->m;
  bool spin = s.kind == SYNC_SPIN;
  uint32_t owner = sync_word (m, s, spin ? (uint32_t) IR_SPIN_OWNER : (uint32_t) IR_MUTEX_OWNER), self = a->t->slot + 1;
  switch (a->d->op) {
  case IR_MUTEX_INIT: return owner ? IR_FAULT_INIT_HELD : IR_FAULT_NONE;
  case IR_SPIN_INIT: return owner ? IR_FAULT_INIT_HELD : IR_FAULT_NONE;
  case IR_MUTEX_DESTROY: return owner ? IR_FAULT_DESTROY_HELD : IR_FAULT_NONE;
  case IR_SPIN_DESTROY: return owner ? IR_FAULT_DESTROY_HELD : IR_FAULT_NONE;
  case IR_MUTEX_LOCK:
  case IR_SPIN_LOCK: return owner == self && !lock_enabled (a, s) ? IR_FAULT_RELOCK : IR_FAULT_NONE;
  case IR_MUTEX_UNLOCK:
  case IR_SPIN_UNLOCK: return owner == self ? IR_FAULT_NONE : owner ? IR_FAULT_UNLOCK_FOREIGN : IR_FAULT_UNLOCK_FREE;
  default: return IR_FAULT_NONE;
  }
}

static ir_fault rw_misuse (const action *a, sync_use s) {
  uint32_t writer = sync_word (a->m, s, IR_RW_WRITER);
  bool held = writer || sync_word (a->m, s, IR_RW_READERS);
  switch (a->d->op) {
  case IR_RW_INIT: return held ? IR_FAULT_INIT_HELD : IR_FAULT_NONE;
  case IR_RW_DESTROY: return held ? IR_FAULT_DESTROY_HELD : IR_FAULT_NONE;
  case IR_RW_UNLOCK:
    if (writer == a->t->slot + 1 || lock_count (a->t, s.address, LOCK_READ)) return IR_FAULT_NONE;
    return held ? IR_FAULT_UNLOCK_OTHERS : IR_FAULT_UNLOCK_FREE;
  default: return IR_FAULT_NONE;
  }
}

static bool is_waited_at (const machine *m, uint64_t address) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (m->threads[slot].state == THREAD_RUNNING && m->threads[slot].waiting == address) return true;
  return false;
}

static ir_fault cond_misuse (const action *a, const sync_use uses[2]) {
  if (a->d->op == IR_COND_WAIT && sync_word (a->m, uses[1], IR_MUTEX_OWNER) != a->t->slot + 1)
    return IR_FAULT_WAIT_UNLOCKED;
  if (a->d->op == IR_COND_DESTROY && is_waited_at (a->m, uses[0].address)) return IR_FAULT_DESTROY_COND;
  if (a->d->op == IR_COND_INIT && is_waited_at (a->m, uses[0].address)) return IR_FAULT_INIT_IN_USE;
  return IR_FAULT_NONE;
}

static ir_fault barrier_misuse (const action *a, sync_use s) {
  switch (a->d->op) {
  case IR_BARRIER_ARRIVE: return sync_word (a->m, s, IR_BARRIER_COUNT) ? IR_FAULT_NONE : IR_FAULT_UNINITIALISED;
  case IR_BARRIER_INIT: return is_waited_at (a->m, s.address) ? IR_FAULT_INIT_IN_USE : IR_FAULT_NONE;
  case IR_BARRIER_DESTROY: return is_waited_at (a->m, s.address) ? IR_FAULT_DESTROY_BARRIER : IR_FAULT_NONE;
  default: return IR_FAULT_NONE;
  }
}

static ir_fault misuse_of_kind (const action *a, const sync_use uses[2]) {
  switch (uses[0].kind) {
  case SYNC_MUTEX:
  case SYNC_SPIN: return mutex_misuse (a, uses[0]);
  case SYNC_RWLOCK: return rw_misuse (a, uses[0]);
  case SYNC_COND: return cond_misuse (a, uses);
  case SYNC_BARRIER: return barrier_misuse (a, uses[0]);
  default: return IR_FAULT_NONE;
  }
}

static wrong_use use_with (ir_fault fault, sync_use s) { return (wrong_use){fault, s.kind, s.address}; }

static wrong_use sync_misuse (const action *a) {
  sync_use uses[2];
  unsigned n = sync_uses (a, uses);
  unsigned first = sync_first_touched (a->d->op);
  for (unsigned i = first; i < n; i++)
    if (memory_check (a->m, uses[i].address, 4, a->d->op != IR_SEM_GETVALUE) != IR_FAULT_NONE)
      return (wrong_use){0};  // a memory error instead
  for (unsigned i = first; i < n && !sync_is_init (a->d->op); i++) {
    if (sync_uninitialised (a->m, uses[i])) return use_with (IR_FAULT_UNINITIALISED, uses[i]);
    if (sync_destroyed (a->m, uses[i])) return use_with (IR_FAULT_DESTROYED, uses[i]);
  }
  if (!n) return (wrong_use){0};
  ir_fault fault = misuse_of_kind (a, uses);
  return use_with (fault, uses[fault == IR_FAULT_WAIT_UNLOCKED]);  // that fault is about the mutex
}

static wrong_use end_misuse (const action *a) {
  for (uint32_t i = 0; i < a->t->held.count; i++)
    if (a->t->held.data[i].kind != LOCK_ONCE)
      return (wrong_use){IR_FAULT_END_HOLDING, SYNC_NONE, a->t->held.data[i].address};
  return (wrong_use){0};
}

wrong_use misuse_of (const action *a) {
  if (a->d->op == IR_THREAD_EXIT || (a->d->op == IR_RETURN && a->t->frames.count == 1)) return end_misuse (a);
  if (a->d->op == IR_THREAD_JOIN || a->d->op == IR_THREAD_DETACH) {
    if (thread_of_handle (a->m, action_arg (a, 0))) return (wrong_use){0};
    return (wrong_use){a->d->op == IR_THREAD_JOIN ? IR_FAULT_BAD_JOIN : IR_FAULT_BAD_DETACH, SYNC_NONE, 0};
  }
  return ir_op_table[a->d->op].group == 'S' ? sync_misuse (a) : (wrong_use){0};
}

const char *misuse_text (const machine *m, wrong_use w) {
  static const ir_family families[] = {
      [SYNC_MUTEX] = IR_F_MUTEX, [SYNC_RWLOCK] = IR_F_RWLOCK,   [SYNC_SPIN] = IR_F_SPIN, [SYNC_COND] = IR_F_COND,
      [SYNC_SEM] = IR_F_SEM,     [SYNC_BARRIER] = IR_F_BARRIER, [SYNC_ONCE] = IR_F_ONCE};
  return ir_fault_text (m->arena, w.fault, w.kind == SYNC_NONE ? "" : ir_family_name (families[w.kind]));
}

bool misuse_possible (ir_op op) {
  return ir_op_table[op].group == 'S' || op == IR_THREAD_JOIN || op == IR_THREAD_DETACH || op == IR_THREAD_EXIT ||
         op == IR_RETURN;
}
