// Protecting locks, TXN section 6: each variable starts with the locks held at its first access and keeps those held at every later one (the
// lock sets of Eraser, taken over all executions the search sees).  A variable that only one thread has touched belongs to it (TXN 5.1); one that
// nobody writes needs no lock.
#include "engine/explicit/protect.h"

static uint32_t variable_at (protect *p, uint64_t address, bool *is_new) {
  uint64_t *index = map_insert (&p->by_address, address, p->variables.count, is_new);
  if (*is_new) vec_push (&p->variables, ((protected_variable){.address = address}));
  return (uint32_t) *index;
}

// ---- locks held ----------------------------------------------------------------------------------------
static bool protects (const held_lock *h, bool write) {
  return h->kind != HELD_ONCE && (h->kind != HELD_READ || !write);
}

static const held_lock *find_held (const thread *t, uint64_t address, bool write) {
  for (uint32_t k = 0; k < t->held.count; k++)
    if (t->held.data[k].address == address && protects (&t->held.data[k], write)) return &t->held.data[k];
  return NULL;
}

static void take_held (protected_variable *v, const thread *t, bool write) {
  for (uint32_t k = 0; k < t->held.count && v->num_locks < PROTECTING_ROOM; k++)
    if (protects (&t->held.data[k], write))
      v->locks[v->num_locks++] = (protecting_lock){t->held.data[k].address, t->held.data[k].kind == HELD_READ};
}

static void keep_held (protected_variable *v, const thread *t, bool write) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < v->num_locks; k++) {
    const held_lock *h = find_held (t, v->locks[k].address, write);
    if (!h) continue;
    v->locks[kept] = v->locks[k];
    v->locks[kept++].shared_only |= h->kind == HELD_READ;
  }
  v->num_locks = kept;
}

// ---- accesses ------------------------------------------------------------------------------------------
static void check_lost (protect *p, uint32_t index) {
  protected_variable *v = &p->variables.data[index];
  if (v->lost || !v->shared || !v->written || v->num_locks) return;
  v->lost = true;
  vec_push (&p->lost, index);
}

static void note_variable (protect *p, const world *w, uint32_t slot, uint64_t address, bool write) {
  bool is_new;
  const thread *t = &w->threads[slot];
  uint32_t index = variable_at (p, address, &is_new);
  protected_variable *v = &p->variables.data[index];
  v->disturbed |= write && w->running > 1;
  if (!v->accesses++) {
    v->owner = slot;
    take_held (v, t, write);
  } else keep_held (v, t, write);
  v->shared |= v->owner != slot;
  v->written |= write;
  check_lost (p, index);
}

// The owner of a lock is in its first words.
static bool is_in_lock (const protect *p, uint64_t address) {
  for (uint64_t at = address; at + IR_MUTEX_OWNER + VARIABLE_BYTES > address; at -= VARIABLE_BYTES) {
    const uint64_t *index = map_find (&p->by_address, at);
    if (index && p->variables.data[*index].lock) return true;
  }
  return false;
}

void protect_note (protect *p, const world *w, uint32_t slot, uint64_t address, uint32_t bytes, bool write) {
  for (uint64_t at = address - address % VARIABLE_BYTES; at < address + bytes; at += VARIABLE_BYTES) {
    p->overwritten |= write && is_in_lock (p, at);
    note_variable (p, w, slot, at, write);
  }
}

void protect_give_up (protect *p, uint64_t lock) {
  bool is_new;
  uint32_t index = variable_at (p, lock, &is_new);
  protected_variable *v = &p->variables.data[index];
  v->shared = v->written = true;
  v->num_locks = 0;
  check_lost (p, index);
}

// ---- exclusive access ----------------------------------------------------------------------------------
static bool keeps_a_lock (const protected_variable *v, const thread *t, bool write) {
  for (uint32_t k = 0; k < v->num_locks; k++)
    if (find_held (t, v->locks[k].address, write)) return true;
  return false;
}

// As it will be once this access has been noted.
static bool stays_exclusive (const protected_variable *v, const thread *t, uint32_t slot, bool write) {
  if (v->lost) return false;
  if (!v->accesses || (!v->shared && v->owner == slot)) return true;
  return (!v->written && !write) || keeps_a_lock (v, t, write);
}

bool protect_exclusive (protect *p, const world *w, uint32_t slot, const touch *touched, variable_list *relied) {
  const thread *t = &w->threads[slot];
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

// The other way round: the write came before anybody took the lock.
static bool is_disturbed (const protect *p, uint64_t lock) {
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
  p->overwritten |= is_disturbed (p, lock);
  if (p->variables.data[index].lost) return false;
  vec_push (relied, index);
  return true;
}

static bool keeps (const protected_variable *v, uint64_t lock) {
  for (uint32_t k = 0; k < v->num_locks; k++)
    if (v->locks[k].address == lock) return true;
  return false;
}

static void merge_variable (protected_variable *v, const protected_variable *other) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < v->num_locks; k++)
    if (keeps (other, v->locks[k].address)) v->locks[kept++] = v->locks[k];
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
