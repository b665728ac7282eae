// Condition variables, semaphores, barriers and `once`.  A waiting thread carries the address at which it waits; the
// objects themselves have no queues.
#include "verdict/verdict_impl.h"

static bool mutex_is_free (machine *m, sync_use mutex) { return !sync_word (m, mutex, IR_MUTEX_OWNER); }

bool wait_enabled (const action *a, const sync_use uses[2]) {
  machine *m = a->m;
  switch (a->d->op) {
  case IR_COND_RESUME: return !a->t->waiting && mutex_is_free (m, uses[1]);
  case IR_COND_TIMEDRESUME: return mutex_is_free (m, uses[1]);
  case IR_SEM_WAIT: return sync_word (m, uses[0], IR_SEM_VALUE) > 0;
  case IR_BARRIER_RESUME: return !a->t->waiting;
  case IR_ONCE_BEGIN: return sync_word (m, uses[0], IR_ONCE_STATE) != 1;
  default: return true;
  }
}

// ---- condition variables -------------------------------------------------------------------------------

// Begins a wait.  A spurious wake-up is chosen when the wait begins.  A thread that wakes up spuriously takes no part
// in signals; a thread that chooses to wait has to be signalled.  A later spurious wake-up would show nothing else,
// since a signal in between may as well wake the thread.
static step_kind cond_wait (action *a, const sync_use uses[2]) {
  ir_value spurious = 0;
  if (a->m->semantics.spurious_wakeups && !a->m->choose (a->m, CHOICE_SPURIOUS, 1, 0, &spurious)) return STEP_NO_CHOICE;
  if (sync_word (a->m, uses[1], IR_MUTEX_OWNER) == a->t->slot + 1) mutex_release_fully (a, uses[1]);
  a->t->waiting = spurious ? 0 : uses[0].address;
  a->t->spurious = spurious != 0;
  return STEP_DONE;
}

static step_kind cond_resume (action *a, const sync_use uses[2]) {
  bool timed_out = a->t->waiting && a->d->op == IR_COND_TIMEDRESUME;
  a->t->waiting = 0;
  a->m->spurious = a->t->spurious;
  a->t->spurious = false;
  sync_set (a->m, uses[1].address, IR_MUTEX_OWNER, a->t->slot + 1);
  sync_set (a->m, uses[1].address, IR_MUTEX_COUNT, 1);
  lock_take (a, uses[1].address, LOCK_MUTEX);
  action_set (a, a->d->dst, timed_out ? ETIMEDOUT : 0);
  return STEP_DONE;
}

static bool thread_waits_at (const thread *t, uint64_t address) {
  return t->state == THREAD_RUNNING && t->waiting == address;
}

static uint32_t wake_all_at (machine *m, uint64_t address) {
  uint32_t n = 0;
  for (uint32_t slot = 0; slot < m->num_slots; slot++) {
    if (!thread_waits_at (&m->threads[slot], address)) continue;
    m->threads[slot].waiting = 0;
    n++;
  }
  return n;
}

static step_kind execute_cond_signal (action *a, uint64_t address) {
  machine *m = a->m;
  uint32_t waiting = 0, chosen = IR_NONE;
  for (uint32_t slot = m->num_slots; slot-- > 0;)
    if (thread_waits_at (&m->threads[slot], address)) waiting++, chosen = slot;
  if (waiting > 1) {
    ir_value choice;
    if (!m->choose (m, CHOICE_WAKE, 32, address, &choice)) return STEP_NO_CHOICE;
    if (choice >= m->num_slots || !thread_waits_at (&m->threads[choice], address)) {
      m->stop =
          arena_printf (m->arena, "the choice is to wake thread %u, which does not wait there", (unsigned) choice);
      return STEP_NO_CHOICE;
    }
    chosen = (uint32_t) choice;
  }
  if (chosen != IR_NONE) m->threads[chosen].waiting = 0;
  m->woken = chosen;
  return STEP_DONE;
}

static step_kind cond_step (action *a, const sync_use uses[2]) {
  switch (a->d->op) {
  case IR_COND_INIT: sync_zero (a->m, uses[0]); return STEP_DONE;
  case IR_COND_WAIT: return cond_wait (a, uses);
  case IR_COND_RESUME:
  case IR_COND_TIMEDRESUME: return cond_resume (a, uses);
  case IR_COND_SIGNAL: return execute_cond_signal (a, uses[0].address);
  case IR_COND_BROADCAST: wake_all_at (a->m, uses[0].address); return STEP_DONE;
  default:
    sync_set (a->m, uses[0].address, IR_COND_STATE, IR_DESTROYED);
    action_set (a, a->d->dst, 0);
    return STEP_DONE;
  }
}

// ---- semaphores ----------------------------------------------------------------------------------------

static step_kind sem_step (action *a, sync_use s) {
  machine *m = a->m;
  uint32_t value = sync_word (m, s, IR_SEM_VALUE), result = 0;
  switch (a->d->op) {
  case IR_SEM_INIT:
    sync_zero (m, s);
    sync_set (m, s.address, IR_SEM_VALUE, (uint32_t) action_arg (a, 1));
    return STEP_DONE;
  case IR_SEM_POST: sync_set (m, s.address, IR_SEM_VALUE, value + 1); break;
  case IR_SEM_GETVALUE: result = value; break;
  case IR_SEM_DESTROY: sync_set (m, s.address, IR_SEM_STATE, IR_DESTROYED); break;
  default:
    if (value) sync_set (m, s.address, IR_SEM_VALUE, value - 1);
    else result = a->d->op == IR_SEM_TRYWAIT ? EAGAIN : ETIMEDOUT;
  }
  action_set (a, a->d->dst, result);
  return STEP_DONE;
}

// ---- barriers, once ------------------------------------------------------------------------------------

static step_kind barrier_arrive (action *a, sync_use s) {
  machine *m = a->m;
  uint32_t count = sync_word (m, s, IR_BARRIER_COUNT), arrived = sync_word (m, s, IR_BARRIER_ARRIVED) + 1;
  if (!count) {
    action_set (a, a->d->dst, EINVAL);
    return STEP_DONE;
  }
  bool last = arrived == count;
  sync_set (m, s.address, IR_BARRIER_ARRIVED, last ? 0 : arrived);
  if (last) wake_all_at (m, s.address);
  else a->t->waiting = s.address;
  action_set (a, a->d->dst, last ? ~(ir_value) 0 : 0);
  return STEP_DONE;
}

static step_kind barrier_step (action *a, sync_use s) {
  switch (a->d->op) {
  case IR_BARRIER_INIT:
    sync_zero (a->m, s);
    sync_set (a->m, s.address, IR_BARRIER_COUNT, (uint32_t) action_arg (a, 1));
    return STEP_DONE;
  case IR_BARRIER_ARRIVE: return barrier_arrive (a, s);
  case IR_BARRIER_DESTROY:
    sync_set (a->m, s.address, IR_BARRIER_STATE, IR_DESTROYED);
    action_set (a, a->d->dst, 0);
    return STEP_DONE;
  default: return STEP_DONE;
  }
}

static step_kind once_step (action *a, sync_use s) {
  if (a->d->op == IR_ONCE_END) {
    sync_set (a->m, s.address, IR_ONCE_STATE, 2);
    lock_drop (a->t, s.address, LOCK_ONCE);
    return STEP_DONE;
  }
  bool first = sync_word (a->m, s, IR_ONCE_STATE) == 0;
  if (first) {
    sync_set (a->m, s.address, IR_ONCE_STATE, 1);
    lock_take (a, s.address, LOCK_ONCE);
  }
  action_set (a, a->d->dst, first);
  return STEP_DONE;
}

step_kind wait_step (action *a, const sync_use uses[2]) {
  switch (uses[0].kind) {
  case SYNC_COND: return cond_step (a, uses);
  case SYNC_SEM: return sem_step (a, uses[0]);
  case SYNC_BARRIER: return barrier_step (a, uses[0]);
  default: return once_step (a, uses[0]);
  }
}
