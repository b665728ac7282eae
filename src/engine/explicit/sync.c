// Synchronisation operations of the explicit engine, after the table in docs/formats/ir.md.  The state of a lock,
// semaphore, barrier or once lives in the bytes of its own object; waiting threads are known by `waiting`.
#include <string.h>

#include "base/diag.h"
#include "engine/explicit/explicit_impl.h"

enum { MOST_BYTES = IR_RW_WRITER + 4 };  // of the state of any synchronisation object
enum { E_PERM = 1, E_AGAIN = 11, E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35, E_TIMEDOUT = 110 };

typedef struct sync {
  world *w;
  thread *t;
  uint32_t slot;
  const insn *i;
  uint8_t op;        // what is done to the object: i->ir, or for the mutex of a wait IR_MUTEX_LOCK
  uint64_t address;  // of the synchronisation object
  object *o;
  uint32_t at;  // its offset in o
} sync;

static uint32_t word (const sync *s, uint32_t field) { return xs_object_word (s->o, s->at + field); }
static void set_word (sync *s, uint32_t field, uint32_t value) {
  xs_object_set_word (s->w, s->o, s->at + field, value);
}
static uint32_t self (const sync *s) { return s->slot + 1; }
static void misuse (sync *s) { xs_exec_violate (s->w, IR_P_LOCKS, s->slot, s->i->edge, IR_NONE); }

static void set_result (sync *s, uint64_t value) {
  if (s->i->dst == IR_NONE) return;
  thread *t = s->t;
  uint64_t mask = s->i->bits >= 64 ? ~0ull : (1ull << s->i->bits) - 1;
  t->regs.data[vec_last (&t->frames).base + s->i->dst] = value & mask;
}

static bool is_op (const sync *s, ir_op first, ir_op last) { return s->op >= first && s->op <= last; }

// ---- the object ----------------------------------------------------------------------------------------
static bool found (sync *s) {
  s->o = xs_object_access (s->w, s->address, 4, s->op != IR_SEM_GETVALUE);
  s->at = (uint32_t) pointer_offset (s->w, s->address);
  if (s->o) xs_object_note_read (s->w, s->o, s->at, MOST_BYTES);
  else s->w->step.uncacheable = true;
  return s->o != NULL;
}

static uint32_t object_bytes (const sync *s) {
  bool wide = s->w->program->pointer_bits == 64;
  if (is_op (s, IR_MUTEX_INIT, IR_MUTEX_DESTROY)) return wide ? 20 : 16;
  if (is_op (s, IR_RW_INIT, IR_RW_DESTROY)) return IR_RW_WRITER + 4;
  if (is_op (s, IR_BARRIER_INIT, IR_BARRIER_DESTROY)) return 12;
  if (is_op (s, IR_SEM_INIT, IR_SEM_DESTROY)) return 8;
  return 4;
}

static uint32_t state_field (const sync *s) {
  if (is_op (s, IR_SEM_INIT, IR_SEM_DESTROY)) return IR_SEM_STATE;
  if (is_op (s, IR_BARRIER_INIT, IR_BARRIER_DESTROY)) return IR_BARRIER_STATE;
  return 0;
}

static bool is_init (uint8_t op) {
  return op == IR_MUTEX_INIT || op == IR_RW_INIT || op == IR_SPIN_INIT || op == IR_COND_INIT || op == IR_SEM_INIT ||
         op == IR_BARRIER_INIT;
}

static bool all_undefined (const object *o, uint32_t at) {
  if (!o->any_undefined) return false;
  for (uint32_t k = 0; k < 4; k++)
    if (at + k < o->size && o->undefined[at + k] != XS_ALL_BITS) return false;
  return true;
}

static void zero_object (sync *s) {
  uint32_t first = is_op (s, IR_RW_INIT, IR_RW_DESTROY) ? IR_RW_READERS : 0;  // a mutex's words lie before
  set_word (s, 0, 0);
  for (uint32_t field = first; field < object_bytes (s); field += 4) set_word (s, field, 0);
}

// An uninitialised or destroyed object is misuse, then taken as fresh.
static void revive (sync *s) {
  if (is_init (s->op)) {
    if (all_undefined (s->o, s->at)) zero_object (s);
    return;
  }
  if (!all_undefined (s->o, s->at) && word (s, state_field (s)) != IR_DESTROYED) return;
  s->w->misused = s->i->edge;
  misuse (s);
  zero_object (s);
}

// An owner word names a slot, nobody, or one who has ended.
static bool is_slot (const world *w, uint32_t owner) { return owner && owner <= w->num_slots; }

// ---- mutex, spin lock ----------------------------------------------------------------------------------
static uint32_t mutex_kind (const sync *s) {
  uint32_t kind = word (s, IR_MUTEX_KIND (s->w->program)) & 3;
  return kind == IR_MUTEX_RECURSIVE || kind == IR_MUTEX_ERRORCHECK ? kind : IR_MUTEX_NORMAL;
}

static bool mutex_available (const sync *s) {
  uint32_t owner = word (s, IR_MUTEX_OWNER);
  return !owner || (owner == self (s) && mutex_kind (s) != IR_MUTEX_NORMAL);
}

static void mutex_take (sync *s) {
  set_word (s, IR_MUTEX_OWNER, self (s));
  set_word (s, IR_MUTEX_COUNT, 1);
  xs_thread_hold (s->w, s->slot, s->address, HELD_MUTEX);
}

static void mutex_lock (sync *s) {
  uint32_t owner = word (s, IR_MUTEX_OWNER);
  if (!owner) mutex_take (s);
  else if (mutex_kind (s) == IR_MUTEX_RECURSIVE) set_word (s, IR_MUTEX_COUNT, word (s, IR_MUTEX_COUNT) + 1);
  set_result (s, owner && mutex_kind (s) == IR_MUTEX_ERRORCHECK ? E_DEADLK : 0);
}

static void mutex_trylock (sync *s) {
  uint32_t owner = word (s, IR_MUTEX_OWNER);
  if (!owner || (owner == self (s) && mutex_kind (s) == IR_MUTEX_RECURSIVE)) mutex_lock (s);
  else set_result (s, E_BUSY);
}

static void note_release (sync *s, uint32_t owner) {
  if (is_slot (s->w, owner) && owner != self (s)) s->w->foreign_release = true;
}

// Nobody holds it any longer.  Where the program has written over the lock, the owner word does not tell who held it.
static void drop_everywhere (sync *s, lock_kind kind) {
  for (uint32_t u = 0; u < s->w->num_slots; u++) {
    if (!xs_thread_held (s->w, u, s->address, kind)) continue;
    if (u != s->slot) s->w->foreign_release = s->w->step.uncacheable = true;
    while (xs_thread_drop (s->w, u, s->address, kind)) continue;
  }
}

static void mutex_free (sync *s) {
  uint32_t owner = word (s, IR_MUTEX_OWNER);
  note_release (s, owner);
  set_word (s, IR_MUTEX_OWNER, 0);
  set_word (s, IR_MUTEX_COUNT, 0);
  drop_everywhere (s, HELD_MUTEX);
}

static void mutex_unlock (sync *s) {
  set_result (s, 0);
  if (word (s, IR_MUTEX_OWNER) == self (s)) {
    uint32_t count = word (s, IR_MUTEX_COUNT);
    if (count > 1) set_word (s, IR_MUTEX_COUNT, count - 1);
    else mutex_free (s);
    return;
  }
  misuse (s);
  s->w->foreign_release |= mutex_kind (s) == IR_MUTEX_NORMAL;  // in another interleaving somebody may hold it
  if (mutex_kind (s) == IR_MUTEX_NORMAL) mutex_free (s);
  else set_result (s, E_PERM);
}

static void mutex_init (sync *s) {
  if (word (s, IR_MUTEX_OWNER) && word (s, IR_MUTEX_STATE) != IR_DESTROYED) misuse (s);
  mutex_free (s);
  zero_object (s);
  set_word (s, IR_MUTEX_KIND (s->w->program), (uint32_t) xs_exec_value (s->w, s->slot, s->i->b));
}

static void mutex_destroy (sync *s) {
  set_result (s, 0);
  if (word (s, IR_MUTEX_OWNER)) {
    misuse (s);
    set_result (s, E_BUSY);
  } else set_word (s, IR_MUTEX_STATE, IR_DESTROYED);
}

static void mutex_execute (sync *s) {
  switch (s->i->ir) {
  case IR_MUTEX_INIT: mutex_init (s); break;
  case IR_MUTEX_LOCK: mutex_lock (s); break;
  case IR_MUTEX_TRYLOCK: mutex_trylock (s); break;
  case IR_MUTEX_TIMEDLOCK:
    if (mutex_available (s)) mutex_lock (s);
    else set_result (s, E_TIMEDOUT);
    break;
  case IR_MUTEX_UNLOCK: mutex_unlock (s); break;
  default: mutex_destroy (s);
  }
}

static void spin_free (sync *s) {
  uint32_t owner = word (s, IR_SPIN_OWNER);
  note_release (s, owner);
  set_word (s, IR_SPIN_OWNER, 0);
  drop_everywhere (s, HELD_SPIN);
}

static void spin_execute (sync *s) {
  uint32_t owner = word (s, IR_SPIN_OWNER);
  set_result (s, 0);
  switch (s->i->ir) {
  case IR_SPIN_INIT:
    if (owner && owner != IR_DESTROYED) misuse (s);
    spin_free (s);
    break;
  case IR_SPIN_UNLOCK:
    if (owner != self (s)) {
      misuse (s);
      s->w->foreign_release = true;
    }
    spin_free (s);
    break;
  case IR_SPIN_DESTROY:
    if (owner) misuse (s), set_result (s, E_BUSY);
    else set_word (s, IR_SPIN_OWNER, IR_DESTROYED);
    break;
  default:  // lock, trylock
    if (owner) set_result (s, E_BUSY);
    else {
      set_word (s, IR_SPIN_OWNER, self (s));
      xs_thread_hold (s->w, s->slot, s->address, HELD_SPIN);
    }
  }
}

// ---- reader-writer lock --------------------------------------------------------------------------------
static bool rw_readable (const sync *s) { return !word (s, IR_RW_WRITER); }
static bool rw_writable (const sync *s) { return !word (s, IR_RW_WRITER) && !word (s, IR_RW_READERS); }

static void rw_lock (sync *s, bool write, uint32_t otherwise) {
  set_result (s, 0);
  if (word (s, IR_RW_WRITER) == self (s)) set_result (s, otherwise == E_BUSY ? E_BUSY : E_DEADLK);
  else if (write ? !rw_writable (s) : !rw_readable (s)) set_result (s, otherwise);
  else if (write) {
    set_word (s, IR_RW_WRITER, self (s));
    xs_thread_hold (s->w, s->slot, s->address, HELD_WRITE);
  } else {
    set_word (s, IR_RW_READERS, word (s, IR_RW_READERS) + 1);
    xs_thread_hold (s->w, s->slot, s->address, HELD_READ);
  }
}

static void rw_unlock (sync *s) {
  set_result (s, 0);
  if (word (s, IR_RW_WRITER) == self (s)) {
    set_word (s, IR_RW_WRITER, 0);
    xs_thread_drop (s->w, s->slot, s->address, HELD_WRITE);
  } else if (xs_thread_drop (s->w, s->slot, s->address, HELD_READ))
    set_word (s, IR_RW_READERS, word (s, IR_RW_READERS) - 1);
  else {
    misuse (s);
    set_result (s, E_PERM);
  }
}

static void rw_drop_all (sync *s) {
  s->w->step.uncacheable = true;  // looks at all threads
  for (uint32_t u = 0; u < s->w->num_slots; u++) {
    if (u != s->slot &&
        (xs_thread_held (s->w, u, s->address, HELD_READ) || xs_thread_held (s->w, u, s->address, HELD_WRITE)))
      s->w->foreign_release = true;
    while (xs_thread_drop (s->w, u, s->address, HELD_READ)) continue;
    xs_thread_drop (s->w, u, s->address, HELD_WRITE);
  }
}

static void rw_execute (sync *s) {
  bool held = !rw_writable (s);
  switch (s->i->ir) {
  case IR_RW_INIT:
    if (held && word (s, IR_RW_STATE) != IR_DESTROYED) misuse (s);
    rw_drop_all (s);
    zero_object (s);
    break;
  case IR_RW_RDLOCK: rw_lock (s, false, 0); break;
  case IR_RW_WRLOCK: rw_lock (s, true, 0); break;
  case IR_RW_TRYRDLOCK: rw_lock (s, false, E_BUSY); break;
  case IR_RW_TRYWRLOCK: rw_lock (s, true, E_BUSY); break;
  case IR_RW_TIMEDRDLOCK: rw_lock (s, false, E_TIMEDOUT); break;
  case IR_RW_TIMEDWRLOCK: rw_lock (s, true, E_TIMEDOUT); break;
  case IR_RW_UNLOCK: rw_unlock (s); break;
  default:
    set_result (s, held ? E_BUSY : 0);
    if (held) misuse (s);
    else set_word (s, IR_RW_STATE, IR_DESTROYED);
  }
}

// ---- condition variables -------------------------------------------------------------------------------
static bool is_wait (uint8_t op) { return op == IR_COND_WAIT || op == IR_COND_RESUME || op == IR_COND_TIMEDRESUME; }

// A woken thread no longer touches what it waited at.
static bool is_resume (uint8_t op) {
  return op == IR_COND_RESUME || op == IR_COND_TIMEDRESUME || op == IR_BARRIER_RESUME;
}

// A spurious wake-up is chosen when the wait begins; to wait for a signal is tried first.
static bool wakes_without_signal (sync *s) {
  if (!s->w->semantics->spurious_wakeups) return false;
  uint32_t spurious = world_choose (s->w, 2);
  vec_push (&s->w->step.chosen, (ir_value) spurious);
  s->w->step.spurious |= spurious;
  return spurious != 0;
}

static void cond_wait (sync *s, sync *mutex) {
  bool spurious = wakes_without_signal (s);
  if (word (mutex, IR_MUTEX_OWNER) == self (s)) mutex_free (mutex);
  else misuse (s);
  s->t->waiting = spurious ? 0 : s->address;
}

static void cond_resume (sync *s, sync *mutex) {
  bool timed_out = s->t->waiting && s->op == IR_COND_TIMEDRESUME;
  s->t->waiting = 0;
  mutex_take (mutex);
  set_result (s, timed_out ? E_TIMEDOUT : 0);
}

static uint32_t waiters (const sync *s, uint32_t *slots) {
  s->w->step.uncacheable = true;  // looks at all threads
  uint32_t count = 0;
  for (uint32_t u = 0; u < s->w->num_slots; u++)
    if (s->w->threads[u].status == T_RUNNING && s->w->threads[u].waiting == s->address) slots[count++] = u;
  return count;
}

static void wake (sync *s, uint32_t slot) {
  s->w->threads[slot].waiting = 0;
  world_touch_thread (s->w, slot);
}

static void cond_execute (sync *s) {
  uint32_t slots[IR_MAX_THREADS], count = waiters (s, slots), pick = 0;
  switch (s->i->ir) {
  case IR_COND_INIT:
    if (count) misuse (s);
    set_word (s, IR_COND_STATE, 0);
    break;
  case IR_COND_SIGNAL:
    if (count > 1) {
      pick = world_choose (s->w, count);
      vec_push (&s->w->step.chosen, (ir_value) slots[pick]);
    }
    if (count) wake (s, slots[pick]);
    break;
  case IR_COND_BROADCAST:
    for (uint32_t k = 0; k < count; k++) wake (s, slots[k]);
    break;
  default:
    if (count) misuse (s);
    set_word (s, IR_COND_STATE, IR_DESTROYED);
    set_result (s, 0);
  }
}

// ---- semaphores, barriers, once ------------------------------------------------------------------------
static void sem_execute (sync *s) {
  uint32_t value = word (s, IR_SEM_VALUE);
  set_result (s, 0);
  switch (s->i->ir) {
  case IR_SEM_INIT:
    zero_object (s);
    set_word (s, IR_SEM_VALUE, (uint32_t) xs_exec_value (s->w, s->slot, s->i->b));
    break;
  case IR_SEM_POST: set_word (s, IR_SEM_VALUE, value + 1); break;
  case IR_SEM_GETVALUE: set_result (s, value); break;
  case IR_SEM_DESTROY: set_word (s, IR_SEM_STATE, IR_DESTROYED); break;
  default:
    if (value) set_word (s, IR_SEM_VALUE, value - 1);
    else set_result (s, s->i->ir == IR_SEM_TRYWAIT ? E_AGAIN : E_TIMEDOUT);
  }
}

static void barrier_arrive (sync *s) {
  uint32_t count = word (s, IR_BARRIER_COUNT), arrived = word (s, IR_BARRIER_ARRIVED) + 1;
  set_result (s, 0);
  if (!count) {
    misuse (s);
    set_result (s, E_INVAL);
  } else if (arrived < count) {
    set_word (s, IR_BARRIER_ARRIVED, arrived);
    s->t->waiting = s->address;
  } else {
    uint32_t slots[IR_MAX_THREADS], waiting = waiters (s, slots);
    for (uint32_t k = 0; k < waiting; k++) wake (s, slots[k]);
    set_word (s, IR_BARRIER_ARRIVED, 0);
    set_result (s, ~0ull);
  }
}

static void barrier_execute (sync *s) {
  uint32_t slots[IR_MAX_THREADS];
  switch (s->i->ir) {
  case IR_BARRIER_INIT:
    if (waiters (s, slots)) misuse (s);
    zero_object (s);
    set_word (s, IR_BARRIER_COUNT, (uint32_t) xs_exec_value (s->w, s->slot, s->i->b));
    break;
  case IR_BARRIER_ARRIVE: barrier_arrive (s); break;
  default:
    set_result (s, 0);
    if (waiters (s, slots)) misuse (s);
    set_word (s, IR_BARRIER_STATE, IR_DESTROYED);
  }
}

static void once_execute (sync *s) {
  if (s->i->ir == IR_ONCE_END) {
    set_word (s, IR_ONCE_STATE, 2);
    xs_thread_drop (s->w, s->slot, s->address, HELD_ONCE);
    return;
  }
  bool fresh = !word (s, IR_ONCE_STATE);
  set_result (s, fresh);
  if (!fresh) return;
  set_word (s, IR_ONCE_STATE, 1);
  xs_thread_hold (s->w, s->slot, s->address, HELD_ONCE);
}

// ---- threads -------------------------------------------------------------------------------------------
static sync_result thread_create (sync *s) {
  s->w->step.uncacheable = true;
  world *w = s->w;
  uint32_t bytes = w->program->pointer_bits / 8;
  uint64_t handle = xs_exec_value (w, s->slot, s->i->a), function = xs_exec_value (w, s->slot, s->i->b);
  uint64_t argument = xs_exec_value (w, s->slot, s->i->c), number = pointer_object (w, function);
  const ir_object_data *f = number && number < w->num_static ? &w->program->objects.data[number] : NULL;
  bool callable = f && f->kind == IR_O_FUNCTION && f->proc.i != IR_NONE && !pointer_offset (w, function);
  if (!callable || !xs_object_access (w, handle, bytes, true)) {
    xs_exec_violate (w, IR_P_MEMORY, s->slot, s->i->edge, IR_NONE);
    return SYNC_VIOLATION;
  }
  xs_object_publish (w, argument);
  uint32_t slot = xs_thread_start (w, f->proc.i, argument);
  if (slot == IR_NONE) {
    w->step.stop_message = "more threads than --max-threads allows";
    w->step.stop_edge = s->i->edge;
    return SYNC_CUT;
  }
  object *o = xs_object_find (w, handle);
  uint32_t at = (uint32_t) pointer_offset (w, handle);
  uint64_t value = slot + 1;
  xs_object_touch (w, o, at, bytes);
  memcpy (o->bytes + at, &value, bytes);
  if (o->any_undefined) memset (o->undefined + at, 0, bytes);
  vec_push (&w->step.starts, slot);
  set_result (s, 0);
  return SYNC_GO;
}

// The thread behind a handle, or IR_NONE if there is none that can be joined.
static uint32_t joinable (const world *w, uint64_t handle) {
  ((world *) w)->step.uncacheable = true;
  if (!handle || handle > w->num_slots) return IR_NONE;
  const thread *t = &w->threads[handle - 1];
  return t->status == T_FREE || t->detached ? IR_NONE : (uint32_t) handle - 1;
}

static void thread_join (sync *s) {
  uint32_t target = joinable (s->w, xs_exec_value (s->w, s->slot, s->i->a));
  if (target == IR_NONE) {
    misuse (s);
    set_result (s, 0);
    return;
  }
  set_result (s, s->w->threads[target].result);
  xs_thread_unpack (s->w, target, NULL, 0);
  world_touch_thread (s->w, target);
}

static void thread_detach (sync *s) {
  s->w->detached = true;
  uint32_t target = joinable (s->w, xs_exec_value (s->w, s->slot, s->i->a));
  if (target == IR_NONE) {
    misuse (s);
    return;
  }
  thread *t = &s->w->threads[target];
  t->detached = true;
  if (t->status == T_ENDED) xs_thread_unpack (s->w, target, NULL, 0);
  world_touch_thread (s->w, target);
}

// The slot may get a new thread, which must not be taken for the owner of what this one leaves locked.
void xs_sync_abandon (world *w, const held_lock *h) {
  object *o = xs_object_access (w, h->address, 4, true);
  if (!o) return;
  uint32_t at = (uint32_t) pointer_offset (w, h->address);
  switch (h->kind) {
  case HELD_MUTEX: xs_object_set_word (w, o, at + IR_MUTEX_OWNER, IR_OWNER_ENDED); break;
  case HELD_SPIN: xs_object_set_word (w, o, at + IR_SPIN_OWNER, IR_OWNER_ENDED); break;
  case HELD_WRITE: xs_object_set_word (w, o, at + IR_RW_WRITER, IR_OWNER_ENDED); break;
  default: break;
  }
}

// ---- entry points --------------------------------------------------------------------------------------
static bool has_object (uint8_t op) { return !(op >= IR_THREAD_CREATE && op <= IR_THREAD_SELF); }

static sync view (const world *w, uint32_t slot, const insn *i) {
  return (sync){.w = (world *) w,
                .t = (thread *) &w->threads[slot],
                .slot = slot,
                .i = i,
                .op = i->ir,
                .address = xs_exec_value (w, slot, i->a)};
}

static sync mutex_view (const sync *s) {
  sync m = *s;
  m.op = IR_MUTEX_LOCK;
  m.address = xs_exec_value (s->w, s->slot, s->i->b);
  return m;
}

void xs_sync_pending (const world *w, uint32_t slot, const insn *i, pending *p) {
  *p = (pending){0};
  if (i->ir == IR_THREAD_CREATE)
    *p = (pending){xs_exec_value (w, slot, i->a), w->program->pointer_bits / 8u, true, false, 0};
  else if (has_object (i->ir) && !is_resume (i->ir))
    *p = (pending){xs_exec_value (w, slot, i->a), 4, i->ir != IR_SEM_GETVALUE, false, 0};
  if (is_wait (i->ir)) p->mutex = xs_exec_value (w, slot, i->b);
}

static bool is_fresh (const sync *s) {
  return all_undefined (s->o, s->at) || word (s, state_field (s)) == IR_DESTROYED;
}

static bool wait_can_end (sync *s) {
  sync mutex = mutex_view (s);
  if (!found (&mutex)) return true;
  if (s->op == IR_COND_WAIT) return true;
  if (s->op == IR_COND_RESUME && s->t->waiting) return false;
  return is_fresh (&mutex) || !word (&mutex, IR_MUTEX_OWNER);
}

static bool join_can_end (const world *w, uint64_t handle) {
  uint32_t target = joinable (w, handle);
  return target == IR_NONE || w->threads[target].status == T_ENDED;
}

bool xs_sync_can_step (const world *w, uint32_t slot, const insn *i) {
  sync s = view (w, slot, i);
  if (i->ir == IR_THREAD_JOIN) return join_can_end (w, s.address);
  if (i->ir == IR_BARRIER_RESUME) return !s.t->waiting;
  if (!has_object (i->ir) || (!is_resume (i->ir) && !found (&s))) return true;
  if (is_wait (i->ir)) return wait_can_end (&s);
  if (is_fresh (&s)) return true;
  switch (i->ir) {
  case IR_MUTEX_LOCK: return mutex_available (&s);
  case IR_SPIN_LOCK: return !word (&s, IR_SPIN_OWNER);
  case IR_RW_RDLOCK: return rw_readable (&s) || word (&s, IR_RW_WRITER) == self (&s);
  case IR_RW_WRLOCK: return rw_writable (&s) || word (&s, IR_RW_WRITER) == self (&s);
  case IR_SEM_WAIT: return word (&s, IR_SEM_VALUE) > 0;
  case IR_ONCE_BEGIN: return word (&s, IR_ONCE_STATE) != 1;
  default: return true;
  }
}

// Judged by the owner's word, not by what the thread once took: the lock may have been overwritten since.
bool xs_sync_relocks (const world *w, uint32_t slot, const insn *i) {
  if ((i->ir != IR_MUTEX_LOCK && i->ir != IR_SPIN_LOCK) || xs_sync_can_step (w, slot, i)) return false;
  sync s = view (w, slot, i);
  return found (&s) &&
         word (&s, i->ir == IR_MUTEX_LOCK ? (uint32_t) IR_MUTEX_OWNER : (uint32_t) IR_SPIN_OWNER) == self (&s);
}

static void execute_on_object (sync *s) {
  if (is_op (s, IR_MUTEX_INIT, IR_MUTEX_DESTROY)) mutex_execute (s);
  else if (is_op (s, IR_RW_INIT, IR_RW_DESTROY)) rw_execute (s);
  else if (is_op (s, IR_SPIN_INIT, IR_SPIN_DESTROY)) spin_execute (s);
  else if (is_op (s, IR_COND_INIT, IR_COND_DESTROY)) cond_execute (s);
  else if (is_op (s, IR_SEM_INIT, IR_SEM_DESTROY)) sem_execute (s);
  else if (is_op (s, IR_BARRIER_INIT, IR_BARRIER_DESTROY)) barrier_execute (s);
  else if (is_op (s, IR_ONCE_BEGIN, IR_ONCE_END)) once_execute (s);
  else BUG ("synchronisation operation %s should be known", ir_op_table[s->i->ir].text);
}

static sync_result wait_execute (sync *s) {
  sync mutex = mutex_view (s);
  if (!found (&mutex)) {
    xs_exec_violate (s->w, IR_P_MEMORY, s->slot, s->i->edge, IR_NONE);
    return SYNC_VIOLATION;
  }
  revive (&mutex);
  if (s->op == IR_COND_WAIT) cond_wait (s, &mutex);
  else cond_resume (s, &mutex);
  return SYNC_GO;
}

sync_result xs_sync_execute (world *w, uint32_t slot, const insn *i) {
  sync s = view (w, slot, i);
  switch (i->ir) {
  case IR_THREAD_CREATE: return thread_create (&s);
  case IR_THREAD_JOIN: thread_join (&s); return SYNC_GO;
  case IR_THREAD_DETACH: thread_detach (&s); return SYNC_GO;
  default: break;
  }
  if (i->ir == IR_BARRIER_RESUME) return SYNC_GO;
  if (!is_resume (i->ir)) {
    if (!found (&s)) {
      xs_exec_violate (w, IR_P_MEMORY, slot, i->edge, IR_NONE);
      return SYNC_VIOLATION;
    }
    revive (&s);
  }
  if (is_wait (i->ir)) return wait_execute (&s);
  execute_on_object (&s);
  return SYNC_GO;
}
