// Property `locks`: what is wrong with a synchronisation or thread operation, asked before it is taken.  The
// operation itself then goes on as docs/formats/ir.md says, so this file only looks.
#include "verdict/verdict_impl.h"

static const char *const uninitialised_text[] = {[SYNC_MUTEX] = "use of the uninitialised mutex {}",
                                                 [SYNC_RWLOCK] = "use of the uninitialised rwlock {}",
                                                 [SYNC_SPIN] = "use of the uninitialised spin lock {}",
                                                 [SYNC_COND] = "use of the uninitialised condition variable {}",
                                                 [SYNC_SEM] = "use of the uninitialised semaphore {}",
                                                 [SYNC_BARRIER] = "use of the uninitialised barrier {}",
                                                 [SYNC_ONCE] = "use of the uninitialised once control {}"};
static const char *const destroyed_text[] = {[SYNC_MUTEX] = "use of the destroyed mutex {}",
                                             [SYNC_RWLOCK] = "use of the destroyed rwlock {}",
                                             [SYNC_SPIN] = "use of the destroyed spin lock {}",
                                             [SYNC_COND] = "use of the destroyed condition variable {}",
                                             [SYNC_SEM] = "use of the destroyed semaphore {}",
                                             [SYNC_BARRIER] = "use of the destroyed barrier {}",
                                             [SYNC_ONCE] = ""};

static const char *mutex_misuse (const action *a, sync_use s) {
  machine *m = a->m;
  bool spin = s.kind == SYNC_SPIN;
  uint32_t owner = sync_word (m, s, spin ? (uint32_t) IR_SPIN_OWNER : (uint32_t) IR_MUTEX_OWNER), self = a->t->slot + 1;
  switch (a->d->op) {
  case IR_MUTEX_INIT: return owner ? "initialisation of the held mutex {}" : NULL;
  case IR_SPIN_INIT: return owner ? "initialisation of the held spin lock {}" : NULL;
  case IR_MUTEX_DESTROY: return owner ? "destruction of the held mutex {}" : NULL;
  case IR_SPIN_DESTROY: return owner ? "destruction of the held spin lock {}" : NULL;
  case IR_MUTEX_LOCK:
  case IR_SPIN_LOCK:
    return owner == self && !lock_enabled (a, s) ? "relock of {}, which this thread already holds" : NULL;
  case IR_MUTEX_UNLOCK:
  case IR_SPIN_UNLOCK:
    return owner == self ? NULL
           : owner       ? "unlock of {}, which is held by another thread"
                         : "unlock of {}, which is not held";
  default: return NULL;
  }
}

static const char *rw_misuse (const action *a, sync_use s) {
  uint32_t writer = sync_word (a->m, s, IR_RW_WRITER);
  bool held = writer || sync_word (a->m, s, IR_RW_READERS);
  switch (a->d->op) {
  case IR_RW_INIT: return held ? "initialisation of the held rwlock {}" : NULL;
  case IR_RW_DESTROY: return held ? "destruction of the held rwlock {}" : NULL;
  case IR_RW_UNLOCK:
    if (writer == a->t->slot + 1 || lock_count (a->t, s.address, LOCK_READ)) return NULL;
    return held ? "unlock of {}, which this thread does not hold" : "unlock of {}, which is not held";
  default: return NULL;
  }
}

static bool is_waited_at (const machine *m, uint64_t address) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    if (m->threads[slot].state == THREAD_RUNNING && m->threads[slot].waiting == address) return true;
  return false;
}

static const char *cond_misuse (const action *a, const sync_use uses[2], uint64_t *address) {
  if (a->d->op == IR_COND_WAIT && sync_word (a->m, uses[1], IR_MUTEX_OWNER) != a->t->slot + 1) {
    *address = uses[1].address;
    return "wait without holding the mutex {}";
  }
  if (a->d->op == IR_COND_DESTROY && is_waited_at (a->m, uses[0].address))
    return "destruction of the condition variable {}, which is in use";
  if (a->d->op == IR_COND_INIT && is_waited_at (a->m, uses[0].address))
    return "initialisation of the condition variable {}, which is in use";
  return NULL;
}

static const char *barrier_misuse (const action *a, sync_use s) {
  switch (a->d->op) {
  case IR_BARRIER_ARRIVE: return sync_word (a->m, s, IR_BARRIER_COUNT) ? NULL : uninitialised_text[SYNC_BARRIER];
  case IR_BARRIER_INIT:
    return is_waited_at (a->m, s.address) ? "initialisation of the barrier {}, which is in use" : NULL;
  case IR_BARRIER_DESTROY:
    return is_waited_at (a->m, s.address) ? "destruction of the barrier {}, which is in use" : NULL;
  default: return NULL;
  }
}

static const char *sync_misuse (const action *a, uint64_t *address) {
  sync_use uses[2];
  unsigned n = sync_uses (a, uses);
  unsigned first = sync_first_touched (a->d->op);
  for (unsigned i = first; i < n; i++)
    if (memory_check (a->m, uses[i].address, 4, a->d->op != IR_SEM_GETVALUE) != FAULT_NONE)
      return NULL;  // a memory error instead
  for (unsigned i = first; i < n && !sync_is_init (a->d->op); i++) {
    *address = uses[i].address;
    if (sync_uninitialised (a->m, uses[i])) return uninitialised_text[uses[i].kind];
    if (sync_destroyed (a->m, uses[i])) return destroyed_text[uses[i].kind];
  }
  if (!n) return NULL;
  *address = uses[0].address;
  switch (uses[0].kind) {
  case SYNC_MUTEX:
  case SYNC_SPIN: return mutex_misuse (a, uses[0]);
  case SYNC_RWLOCK: return rw_misuse (a, uses[0]);
  case SYNC_COND: return cond_misuse (a, uses, address);
  case SYNC_BARRIER: return barrier_misuse (a, uses[0]);
  default: return NULL;
  }
}

static const char *end_misuse (const action *a, uint64_t *address) {
  for (uint32_t i = 0; i < a->t->held.count; i++) {
    if (a->t->held.data[i].kind == LOCK_ONCE) continue;
    *address = a->t->held.data[i].address;
    return "thread ends holding {}";
  }
  return NULL;
}

const char *misuse_of (const action *a, uint64_t *address) {
  *address = 0;
  if (a->d->op == IR_THREAD_EXIT || (a->d->op == IR_RETURN && a->t->frames.count == 1)) return end_misuse (a, address);
  if (a->d->op == IR_THREAD_JOIN || a->d->op == IR_THREAD_DETACH) {
    if (thread_of_handle (a->m, action_arg (a, 0))) return NULL;
    return a->d->op == IR_THREAD_JOIN ? "join of a thread that does not exist or is detached"
                                      : "detach of a thread that does not exist or is detached";
  }
  return ir_op_table[a->d->op].group == 'S' ? sync_misuse (a, address) : NULL;
}

bool misuse_possible (ir_op op) {
  return ir_op_table[op].group == 'S' || op == IR_THREAD_JOIN || op == IR_THREAD_DETACH || op == IR_THREAD_EXIT ||
         op == IR_RETURN;
}
