// Synchronisation objects in general, and the locks among them: mutexes, reader-writer locks, spin locks.  Their state
// is words in the program's memory (ir.h says at which offsets); only the threads' lists of held locks say who reads a
// rwlock and who runs a `once`.  Words that are undefined or lie outside an object that is too small read as 0.
#include "verdict/verdict_impl.h"

static sync_kind sync_kind_of_op (ir_op op) {
  if (op >= IR_MUTEX_INIT && op <= IR_MUTEX_DESTROY) return SYNC_MUTEX;
  if (op >= IR_RW_INIT && op <= IR_RW_DESTROY) return SYNC_RWLOCK;
  if (op >= IR_SPIN_INIT && op <= IR_SPIN_DESTROY) return SYNC_SPIN;
  if (op >= IR_COND_INIT && op <= IR_COND_DESTROY) return SYNC_COND;
  if (op >= IR_SEM_INIT && op <= IR_SEM_DESTROY) return SYNC_SEM;
  if (op >= IR_BARRIER_INIT && op <= IR_BARRIER_DESTROY) return SYNC_BARRIER;
  if (op == IR_ONCE_BEGIN || op == IR_ONCE_END) return SYNC_ONCE;
  return SYNC_NONE;
}

unsigned sync_uses (const action *a, sync_use uses[2]) {
  sync_kind kind = sync_kind_of_op (a->d->op);
  if (kind == SYNC_NONE) return 0;
  uses[0] = (sync_use){kind, (uint64_t) action_arg (a, 0)};
  if (a->d->op != IR_COND_WAIT && a->d->op != IR_COND_RESUME && a->d->op != IR_COND_TIMEDRESUME) return 1;
  uses[1] = (sync_use){SYNC_MUTEX, (uint64_t) action_arg (a, 1)};
  return 2;
}

// A woken thread does not access the object at which it waited: POSIX allows that the object is gone by then.
unsigned sync_first_touched (ir_op op) {
  return op == IR_COND_RESUME || op == IR_COND_TIMEDRESUME || op == IR_BARRIER_RESUME;
}

bool sync_is_init (ir_op op) {
  return op == IR_MUTEX_INIT || op == IR_RW_INIT || op == IR_SPIN_INIT || op == IR_COND_INIT || op == IR_SEM_INIT ||
         op == IR_BARRIER_INIT;
}

// ---- words ---------------------------------------------------------------------------------------------

static bool word_exists (machine *m, uint64_t address) { return memory_check (m, address, 4, false) == IR_FAULT_NONE; }

static uint32_t word_get (machine *m, uint64_t address, uint32_t at) {
  address += at;
  if (!word_exists (m, address) || memory_undefined (m, address, 4)) return 0;
  return (uint32_t) memory_read (m, address, 4);
}

void sync_set (machine *m, uint64_t address, uint32_t at, uint32_t value) {
  if (word_exists (m, address + at)) memory_write (m, address + at, 4, value);
}

bool sync_uninitialised (machine *m, sync_use s) {
  return word_exists (m, s.address) && memory_undefined_all (m, s.address, 4);
}

static uint32_t state_word (sync_kind kind) {
  return kind == SYNC_SEM ? (uint32_t) IR_SEM_STATE : kind == SYNC_BARRIER ? (uint32_t) IR_BARRIER_STATE : 0;
}

bool sync_destroyed (machine *m, sync_use s) {
  return s.kind != SYNC_ONCE && word_get (m, s.address, state_word (s.kind)) == IR_DESTROYED;
}

uint32_t sync_word (machine *m, sync_use s, uint32_t at) {
  return sync_uninitialised (m, s) || sync_destroyed (m, s) ? 0 : word_get (m, s.address, at);
}

void sync_zero (machine *m, sync_use s) {
  unsigned words = s.kind == SYNC_MUTEX || s.kind == SYNC_BARRIER ? 3 : s.kind == SYNC_SEM ? 2 : 1;
  for (unsigned i = 0; i < words; i++) sync_set (m, s.address, 4 * i, 0);
  if (s.kind == SYNC_RWLOCK) {
    sync_set (m, s.address, IR_RW_READERS, 0);
    sync_set (m, s.address, IR_RW_WRITER, 0);
  }
  if (s.kind == SYNC_MUTEX) sync_set (m, s.address, IR_MUTEX_KIND (m->program), IR_MUTEX_NORMAL);
}

// glibc has other kinds, such as adaptive mutexes, which lock and unlock like normal ones.
uint32_t sync_mutex_kind (machine *m, sync_use s) {
  uint32_t kind = sync_word (m, s, IR_MUTEX_KIND (m->program));
  return kind == IR_MUTEX_RECURSIVE || kind == IR_MUTEX_ERRORCHECK ? kind : IR_MUTEX_NORMAL;
}

// ---- held locks ----------------------------------------------------------------------------------------

void lock_take (action *a, uint64_t address, lock_kind kind) {
  held_lock h = {address, kind, NULL};
  if (a->m->keep_lock_names && kind != LOCK_ONCE) {
    strbuf name = {0};
    name_shared (a, address, &name);
    h.name = arena_strdup (a->m->arena, strbuf_text (&name));
    strbuf_release (&name);
  }
  vec_push (&a->t->held, h);
}

bool lock_drop (thread *t, uint64_t address, lock_kind kind) {
  for (uint32_t i = t->held.count; i-- > 0;) {
    if (t->held.data[i].address != address || t->held.data[i].kind != kind) continue;
    memmove (t->held.data + i, t->held.data + i + 1, sizeof (held_lock) * (t->held.count - i - 1));
    t->held.count--;
    return true;
  }
  return false;
}

// Marks a lock whose holder has ended: a new thread in the slot of the holder must not be taken for the owner.
void lock_abandon (machine *m, const held_lock *h) {
  switch (h->kind) {
  case LOCK_MUTEX: sync_set (m, h->address, IR_MUTEX_OWNER, IR_OWNER_ENDED); break;
  case LOCK_SPIN: sync_set (m, h->address, IR_SPIN_OWNER, IR_OWNER_ENDED); break;
  case LOCK_WRITE: sync_set (m, h->address, IR_RW_WRITER, IR_OWNER_ENDED); break;
  case LOCK_READ:
  case LOCK_ONCE: break;
  }
}

void lock_drop_everywhere (machine *m, uint64_t address) {
  for (uint32_t slot = 0; slot < m->num_slots; slot++)
    for (lock_kind kind = LOCK_MUTEX; kind <= LOCK_ONCE; kind++)
      while (lock_drop (&m->threads[slot], address, kind)) {}
}

unsigned lock_count (const thread *t, uint64_t address, lock_kind kind) {
  unsigned n = 0;
  for (uint32_t i = 0; i < t->held.count; i++) n += t->held.data[i].address == address && t->held.data[i].kind == kind;
  return n;
}

// ---- mutex and spin lock -------------------------------------------------------------------------------

static uint32_t owner_word (sync_kind kind) {
  return kind == SYNC_MUTEX ? (uint32_t) IR_MUTEX_OWNER : (uint32_t) IR_SPIN_OWNER;
}
static lock_kind held_kind (sync_kind kind) { return kind == SYNC_MUTEX ? LOCK_MUTEX : LOCK_SPIN; }

static void acquire_free_lock (action *a, sync_use s) {
  sync_set (a->m, s.address, owner_word (s.kind), a->t->slot + 1);
  if (s.kind == SYNC_MUTEX) sync_set (a->m, s.address, IR_MUTEX_COUNT, 1);
  lock_take (a, s.address, held_kind (s.kind));
}

static void make_free (machine *m, sync_use s) {
  sync_set (m, s.address, owner_word (s.kind), 0);
  if (s.kind == SYNC_MUTEX) sync_set (m, s.address, IR_MUTEX_COUNT, 0);
  lock_drop_everywhere (m, s.address);
}

void mutex_release_fully (action *a, sync_use s) { make_free (a->m, s); }

// Tries to acquire a lock; returns 0 if it was acquired, `otherwise` if it is not available.
static uint32_t try_acquire (action *a, sync_use s, bool may_say_deadlock, uint32_t otherwise) {
  machine *m = a->m;
  uint32_t owner = sync_word (m, s, owner_word (s.kind));
  uint32_t kind = s.kind == SYNC_MUTEX ? sync_mutex_kind (m, s) : IR_MUTEX_NORMAL;
  if (!owner) {
    acquire_free_lock (a, s);
    return 0;
  }
  if (owner != a->t->slot + 1) return otherwise;
  if (kind == IR_MUTEX_RECURSIVE) {
    sync_set (m, s.address, IR_MUTEX_COUNT, sync_word (m, s, IR_MUTEX_COUNT) + 1);
    return 0;
  }
  return kind == IR_MUTEX_ERRORCHECK && may_say_deadlock ? EDEADLK : otherwise;
}

static uint32_t release_lock_once (action *a, sync_use s) {
  machine *m = a->m;
  uint32_t owner = sync_word (m, s, owner_word (s.kind));
  uint32_t kind = s.kind == SYNC_MUTEX ? sync_mutex_kind (m, s) : IR_MUTEX_NORMAL;
  if (owner != a->t->slot + 1 && kind != IR_MUTEX_NORMAL) return EPERM;
  uint32_t count = kind == IR_MUTEX_RECURSIVE ? sync_word (m, s, IR_MUTEX_COUNT) : 1;
  if (owner == a->t->slot + 1 && count > 1) sync_set (m, s.address, IR_MUTEX_COUNT, count - 1);
  else make_free (m, s);
  return 0;
}

static void initialise_lock (action *a, sync_use s) {
  lock_drop_everywhere (a->m, s.address);
  sync_zero (a->m, s);
  if (a->d->op == IR_MUTEX_INIT)
    sync_set (a->m, s.address, IR_MUTEX_KIND (a->m->program), (uint32_t) action_arg (a, 1));
}

static bool some_thread_holds (machine *m, sync_use s) {
  if (s.kind == SYNC_RWLOCK) return sync_word (m, s, IR_RW_READERS) || sync_word (m, s, IR_RW_WRITER);
  return sync_word (m, s, owner_word (s.kind)) != 0;
}

static uint32_t destroy_lock (action *a, sync_use s) {
  if (some_thread_holds (a->m, s)) return EBUSY;
  sync_set (a->m, s.address, 0, IR_DESTROYED);
  return 0;
}

// ---- reader-writer lock --------------------------------------------------------------------------------

static uint32_t rw_attempt (action *a, sync_use s, bool write, bool may_say_deadlock, uint32_t otherwise) {
  machine *m = a->m;
  uint32_t writer = sync_word (m, s, IR_RW_WRITER), readers = sync_word (m, s, IR_RW_READERS);
  if (writer == a->t->slot + 1) return may_say_deadlock ? EDEADLK : otherwise;
  if (writer || (write && readers)) return otherwise;
  if (write) sync_set (m, s.address, IR_RW_WRITER, a->t->slot + 1);
  else sync_set (m, s.address, IR_RW_READERS, readers + 1);
  lock_take (a, s.address, write ? LOCK_WRITE : LOCK_READ);
  return 0;
}

static uint32_t rw_unlock (action *a, sync_use s) {
  machine *m = a->m;
  if (sync_word (m, s, IR_RW_WRITER) == a->t->slot + 1) {
    sync_set (m, s.address, IR_RW_WRITER, 0);
    lock_drop (a->t, s.address, LOCK_WRITE);
    return 0;
  }
  if (!lock_drop (a->t, s.address, LOCK_READ)) return EPERM;
  sync_set (m, s.address, IR_RW_READERS, sync_word (m, s, IR_RW_READERS) - 1);
  return 0;
}

// ---- enabledness and effect ----------------------------------------------------------------------------

bool lock_enabled (const action *a, sync_use s) {
  machine *m = a->m;
  uint32_t self = a->t->slot + 1;
  if (s.kind == SYNC_RWLOCK) {
    uint32_t writer = sync_word (m, s, IR_RW_WRITER);
    if (a->d->op == IR_RW_RDLOCK) return !writer || writer == self;
    if (a->d->op == IR_RW_WRLOCK) return writer == self || (!writer && !sync_word (m, s, IR_RW_READERS));
    return true;
  }
  if (a->d->op != IR_MUTEX_LOCK && a->d->op != IR_SPIN_LOCK) return true;
  uint32_t owner = sync_word (m, s, owner_word (s.kind));
  return !owner || (owner == self && s.kind == SYNC_MUTEX && sync_mutex_kind (m, s) != IR_MUTEX_NORMAL);
}

void lock_step (action *a, sync_use s) {
  uint32_t result = 0;
  switch (a->d->op) {
  case IR_MUTEX_INIT:
  case IR_RW_INIT:
  case IR_SPIN_INIT: initialise_lock (a, s); return;
  case IR_MUTEX_LOCK:
  case IR_SPIN_LOCK: result = try_acquire (a, s, true, 0); break;
  case IR_MUTEX_TRYLOCK:
  case IR_SPIN_TRYLOCK: result = try_acquire (a, s, false, EBUSY); break;
  case IR_MUTEX_TIMEDLOCK: result = try_acquire (a, s, true, ETIMEDOUT); break;
  case IR_MUTEX_UNLOCK:
  case IR_SPIN_UNLOCK: result = release_lock_once (a, s); break;
  case IR_MUTEX_DESTROY:
  case IR_RW_DESTROY:
  case IR_SPIN_DESTROY: result = destroy_lock (a, s); break;
  case IR_RW_RDLOCK: result = rw_attempt (a, s, false, true, 0); break;
  case IR_RW_WRLOCK: result = rw_attempt (a, s, true, true, 0); break;
  case IR_RW_TRYRDLOCK: result = rw_attempt (a, s, false, false, EBUSY); break;
  case IR_RW_TRYWRLOCK: result = rw_attempt (a, s, true, false, EBUSY); break;
  case IR_RW_TIMEDRDLOCK: result = rw_attempt (a, s, false, true, ETIMEDOUT); break;
  case IR_RW_TIMEDWRLOCK: result = rw_attempt (a, s, true, true, ETIMEDOUT); break;
  default: result = rw_unlock (a, s); break;
  }
  action_set (a, a->d->dst, result);
}

// ---- all of them ---------------------------------------------------------------------------------------

static bool is_lock_kind (sync_kind kind) { return kind == SYNC_MUTEX || kind == SYNC_RWLOCK || kind == SYNC_SPIN; }

// An operation whose access is a memory error counts as enabled: executing it shows the error.
bool sync_enabled (const action *a) {
  sync_use uses[2];
  unsigned n = sync_uses (a, uses);
  for (unsigned i = sync_first_touched (a->d->op); i < n; i++)
    if (memory_check (a->m, uses[i].address, 4, true) != IR_FAULT_NONE) return true;
  return !n || (is_lock_kind (uses[0].kind) ? lock_enabled (a, uses[0]) : wait_enabled (a, uses));
}

static void atomic_region (action *a) {
  if (a->d->op == IR_ATOMIC_BEGIN) a->m->num_atomic += !a->t->atomic++;
  else if (a->t->atomic) a->m->num_atomic -= !--a->t->atomic;
}

step_kind sync_step (action *a) {
  sync_use uses[2];
  unsigned n = sync_uses (a, uses);
  if (a->d->op == IR_ATOMIC_BEGIN || a->d->op == IR_ATOMIC_END) {
    atomic_region (a);
    return STEP_DONE;
  }
  if (!n) {
    a->m->stop =
        arena_printf (a->m->arena, "operation %s, which the interpreter does not know", ir_op_table[a->d->op].text);
    return STEP_UNSUPPORTED;
  }
  unsigned first = sync_first_touched (a->d->op);
  for (unsigned i = first; i < n; i++)
    if (memory_fails (a->m, uses[i].address, 4, a->d->op != IR_SEM_GETVALUE)) return STEP_VIOLATION;
  if (!sync_enabled (a)) return STEP_BLOCKED;
  for (unsigned i = first; i < n && !sync_is_init (a->d->op); i++)
    if (sync_uninitialised (a->m, uses[i]) || sync_destroyed (a->m, uses[i])) sync_zero (a->m, uses[i]);
  if (!is_lock_kind (uses[0].kind)) return wait_step (a, uses);
  lock_step (a, uses[0]);
  return STEP_DONE;
}
