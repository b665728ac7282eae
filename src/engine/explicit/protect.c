// Protecting locks, TXN section 6: each variable starts with the locks held at its first access and keeps those held at
// every later one (the lock sets of Eraser, taken over all executions that the search sees). A variable that only one
// thread has accessed belongs to that thread (TXN 5.1); a variable that no thread writes needs no lock.
#include "engine/explicit/protect.h"

#include "ir/sync.h"

static uint32_t variable_at (protect *p, uint64_t address, bool *is_new) {
  uint64_t *index = map_insert (&p->by_address, address, p->variables.count, is_new);
  if (*is_new) vec_push (&p->variables, ((protected_variable){.address = address}));
  return (uint32_t) *index;
}

// ---- locks held ---------------------------------------------------------------------------------------
static bool protects (const state_held_lock *h, bool write) {
  return h->kind != HELD_ONCE && (h->kind != HELD_READ || !write);
}

static const state_held_lock *find_protecting_lock (const state_thread *t, uint64_t address, bool write) {
  for (uint32_t k = 0; k < t->held.count; k++)
    if (t->held.data[k].address == address && protects (&t->held.data[k], write)) return &t->held.data[k];
  return NULL;
}

static void add_held_locks (protected_variable *v, const state_thread *t, bool write) {
  for (uint32_t k = 0; k < t->held.count && v->num_locks < PROTECTING_ROOM; k++)
    if (protects (&t->held.data[k], write))
      v->locks[v->num_locks++] = (protecting_lock){t->held.data[k].address, t->held.data[k].kind == HELD_READ};
}

static void intersect_held_locks (protected_variable *v, const state_thread *t, bool write) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < v->num_locks; k++) {
    const state_held_lock *h = find_protecting_lock (t, v->locks[k].address, write);
    if (!h) continue;
    v->locks[kept] = v->locks[k];
    v->locks[kept++].shared_only |= h->kind == HELD_READ;
  }
  v->num_locks = kept;
}

// ---- accesses -----------------------------------------------------------------------------------------
static void check_protection (protect *p, uint32_t index) {
  protected_variable *v = &p->variables.data[index];
  if (v->lost || !v->shared || !v->written || v->num_locks) return;
  v->lost = true;
  vec_push (&p->lost, index);
}

static void record_variable_access (protect *p, const current_state *w, uint32_t slot, uint64_t address, bool write) {
  bool is_new;
  const state_thread *t = &w->threads[slot];
  uint32_t index = variable_at (p, address, &is_new);
  protected_variable *v = &p->variables.data[index];
  v->disturbed |= write && w->running > 1;
  if (!v->accesses++) {
    v->owner = slot;
    add_held_locks (v, t, write);
  } else intersect_held_locks (v, t, write);
  v->shared |= v->owner != slot;
  v->written |= write;
  check_protection (p, index);
}

// Returns whether the address lies in the first words of a lock, where its owner is stored.
static bool is_in_lock (const protect *p, uint64_t address) {
  for (uint64_t at = address; at + IR_MUTEX_OWNER + VARIABLE_BYTES > address; at -= VARIABLE_BYTES) {
    const uint64_t *index = map_find (&p->by_address, at);
    if (index && p->variables.data[*index].lock) return true;
  }
  return false;
}

void protect_note (protect *p, const current_state *w, uint32_t slot, uint64_t address, uint32_t bytes, bool write) {
  for (uint64_t at = address - address % VARIABLE_BYTES; at < address + bytes; at += VARIABLE_BYTES) {
    p->overwritten |= write && is_in_lock (p, at);
    record_variable_access (p, w, slot, at, write);
  }
}

// Returns whether the operation can observe that another thread has the lock or semaphore.
static bool observes_others (uint8_t ir) {
  const ir_sync *facts = ir_sync_of (ir);
  switch (facts->action) {
  case IR_A_INIT:
  case IR_A_DESTROY: return ir_family_is_lock (facts->family) || facts->family == IR_F_SEM;
  case IR_A_TRY:
  case IR_A_TIMED:
  case IR_A_TIMED_RESUME:
  case IR_A_READ: return true;
  default: return false;
  }
}

void protect_give_up (protect *p, uint64_t lock) {
  bool is_new;
  uint32_t index = variable_at (p, lock, &is_new);
  protected_variable *v = &p->variables.data[index];
  v->shared = v->written = true;
  v->num_locks = 0;
  check_protection (p, index);
}

void protect_note_sync (protect *p, uint8_t ir, uint64_t lock) {
  if (observes_others (ir)) protect_give_up (p, lock);
}

// ---- exclusive access ---------------------------------------------------------------------------------
static bool keeps_a_lock (const protected_variable *v, const state_thread *t, bool write) {
  for (uint32_t k = 0; k < v->num_locks; k++)
    if (find_protecting_lock (t, v->locks[k].address, write)) return true;
  return false;
}

// Returns whether the thread has exclusive access, judged as if this access had already been recorded.
static bool stays_exclusive (const protected_variable *v, const state_thread *t, uint32_t slot, bool write) {
  if (v->lost) return false;
  if (!v->accesses || (!v->shared && v->owner == slot)) return true;
  return (!v->written && !write) || keeps_a_lock (v, t, write);
}

bool protect_exclusive (protect *p, const current_state *w, uint32_t slot, const step_access *touched,
                        variable_list *relied) {
  const state_thread *t = &w->threads[slot];
  if (xs_thread_owns (w, slot, touched->address, touched->bytes)) return true;
  for (uint64_t at = touched->address - touched->address % VARIABLE_BYTES; at < touched->address + touched->bytes;
       at += VARIABLE_BYTES) {
    bool is_new;
    uint32_t index = variable_at (p, at, &is_new);
    if (!stays_exclusive (&p->variables.data[index], t, slot, touched->write)) return false;
    vec_push (relied, index);
  }
  return true;
}

// Returns whether data was written to the lock's bytes before any thread acquired it.
static bool is_lock_disturbed (const protect *p, uint64_t lock) {
  for (uint64_t at = lock; at <= lock + IR_MUTEX_OWNER; at += VARIABLE_BYTES) {
    const uint64_t *index = map_find (&p->by_address, at);
    if (index && p->variables.data[*index].disturbed) return true;
  }
  return false;
}

bool protect_exclusive_lock (protect *p, uint64_t lock, variable_list *relied) {
  bool is_new;
  uint32_t index = variable_at (p, lock, &is_new);
  p->variables.data[index].lock = true;
  p->overwritten |= is_lock_disturbed (p, lock);
  if (p->variables.data[index].lost) return false;
  vec_push (relied, index);
  return true;
}

static bool is_protected_by (const protected_variable *v, uint64_t lock) {
  for (uint32_t k = 0; k < v->num_locks; k++)
    if (v->locks[k].address == lock) return true;
  return false;
}

static void merge_variable (protected_variable *v, const protected_variable *other) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < v->num_locks; k++)
    if (is_protected_by (other, v->locks[k].address)) v->locks[kept++] = v->locks[k];
  v->num_locks = kept;
  v->shared |= other->shared || v->owner != other->owner;
  v->written |= other->written;
  v->lock |= other->lock;
  v->disturbed |= other->disturbed;
  v->accesses += other->accesses;
}

void protect_merge (protect *p, const protect *other) {
  for (uint32_t k = 0; k < other->variables.count; k++) {
    bool is_new;
    const protected_variable *x = &other->variables.data[k];
    uint32_t index = variable_at (p, x->address, &is_new);
    if (!is_new) merge_variable (&p->variables.data[index], x);
    else {
      p->variables.data[index] = *x;
      p->variables.data[index].relying.data = NULL;
      p->variables.data[index].relying.count = p->variables.data[index].relying.capacity = 0;
    }
  }
}

void protect_release (protect *p) {
  for (uint32_t k = 0; k < p->variables.count; k++) vec_release (&p->variables.data[k].relying);
  vec_release (&p->variables);
  map_release (&p->by_address);
  vec_release (&p->lost);
}
