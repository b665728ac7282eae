// The algebra of effects.  Composition is what makes summaries: a procedure's effect is computed once and composed with
// every path that calls it (LOCK section 5.1: the augmented thread's transitions, as transformers).
#include "base/limits.h"
#include "engine/locks/states/states_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

void effects_init (effects *t, lock_table *locks) {
  *t = (effects){.locks = locks};
  idsets_init (&t->sets);
}

void effects_release (effects *t) {
  idsets_release (&t->sets);
  intern_release (&t->table);
  intern_release (&t->pairs);
  map_release (&t->self_blocked);
}

// ---- interning: only what is used of the arrays ------------------------------------------------------------

uint32_t effect_intern (effects *t, const effect *e) {
  char bytes[sizeof (effect)];
  char *at = bytes;
  uint32_t head[] = {e->num_held, e->num_released, e->num_tracked, e->acquired,  e->needs_free,
                     e->facts,    e->created,      e->since,       e->overflowed};
  memcpy (at, head, sizeof head), at += sizeof head;
  memcpy (at, e->held, e->num_held * sizeof *e->held), at += e->num_held * sizeof *e->held;
  memcpy (at, e->released, e->num_released * sizeof *e->released), at += e->num_released * sizeof *e->released;
  memcpy (at, e->tracked, e->num_tracked * sizeof *e->tracked), at += e->num_tracked * sizeof *e->tracked;
  return intern_add (&t->table, bytes, (size_t) (at - bytes), NULL);
}

void effect_load (const effects *t, uint32_t number, effect *e) {
  const char *at = intern_get (&t->table, number, NULL);
  uint32_t head[9];
  memcpy (head, at, sizeof head), at += sizeof head;
  *e = (effect){.num_held = head[0],
                .num_released = head[1],
                .num_tracked = head[2],
                .acquired = head[3],
                .needs_free = head[4],
                .facts = head[5],
                .created = head[6],
                .since = head[7],
                .overflowed = head[8]};
  memcpy (e->held, at, e->num_held * sizeof *e->held), at += e->num_held * sizeof *e->held;
  memcpy (e->released, at, e->num_released * sizeof *e->released), at += e->num_released * sizeof *e->released;
  memcpy (e->tracked, at, e->num_tracked * sizeof *e->tracked);
}

// ---- holding --------------------------------------------------------------------------------------------------
held_use *effect_find (effect *e, lock_use u) {
  for (uint32_t k = e->num_held; k-- > 0;)
    if (use_lock ((lock_use){e->held[k].use}) == use_lock (u)) return &e->held[k];
  return NULL;
}

const held_use *effect_may_hold (const effects *t, const effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_held; k++)
    if (lock_may_alias (t->locks, use_lock ((lock_use){e->held[k].use}), use_lock (u))) return &e->held[k];
  return NULL;
}

bool effect_must_hold (const effects *t, effect *e, lock_use u) {
  held_use *h = lock_is_unresolved (t->locks, use_lock (u)) ? NULL : effect_find (e, u);
  return h && h->must && !e->overflowed;
}

static bool was_released (const effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_released; k++)
    if (use_lock ((lock_use){e->released[k]}) == use_lock (u)) return true;
  return false;
}

// May some release on the path have meant this lock, by this or another name?
static bool may_have_been_released (const effects *t, const effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_released; k++)
    if (lock_may_alias (t->locks, use_lock ((lock_use){e->released[k]}), use_lock (u))) return true;
  return false;
}

// A may-held or unresolved lock excludes no thread, so the order of its acquisition and its history do not matter.
bool held_is_may (const effects *t, const held_use *h) {
  return !h->must || lock_is_unresolved (t->locks, use_lock ((lock_use){h->use}));
}

static int by_use (const void *x, const void *y) {
  const held_use *a = x, *b = y;
  return a->use < b->use ? -1 : a->use > b->use;
}

static int by_use_number (const void *x, const void *y) {
  uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;
  return a < b ? -1 : a > b;
}

static void strip_may_held (held_use *h) {
  h->history = IDSET_EMPTY;
  h->count = 1;
}

// Keeps one of the two places, for reports.
void held_merge_may (held_use *into, const held_use *other) {
  into->must &= other->must;
  if (other->edge < into->edge) into->edge = other->edge;
}

static void canonicalise_held (const effects *t, effect *e) {
  held_use may[LIMIT_LOCKS_HELD];
  uint32_t kept = 0, count = 0;
  for (uint32_t k = 0; k < e->num_held; k++)
    if (held_is_may (t, &e->held[k])) may[count++] = e->held[k];
    else e->held[kept++] = e->held[k];
  qsort (may, count, sizeof *may, by_use);
  uint32_t num_must = kept;
  for (uint32_t k = 0; k < count; k++) {
    strip_may_held (&may[k]);
    if (kept > num_must && e->held[kept - 1].use == may[k].use) held_merge_may (&e->held[kept - 1], &may[k]);
    else e->held[kept++] = may[k];
  }
  e->num_held = kept;
}

static void canonicalise_released (const effects *t, effect *e) {
  uint32_t unresolved[LIMIT_LOCKS_RELEASED], kept = 0, count = 0;
  for (uint32_t k = 0; k < e->num_released; k++)
    if (lock_is_unresolved (t->locks, use_lock ((lock_use){e->released[k]}))) unresolved[count++] = e->released[k];
    else e->released[kept++] = e->released[k];
  qsort (unresolved, count, sizeof *unresolved, by_use_number);
  for (uint32_t k = 0; k < count; k++)
    if (!k || unresolved[k] != unresolved[k - 1]) e->released[kept++] = unresolved[k];
  e->num_released = kept;
}

// Gives equal effects equal representations: must-held locks in order, then all others by number.
void effect_canonicalise (const effects *t, effect *e) {
  canonicalise_held (t, e);
  canonicalise_released (t, e);
}

static held_use held_new (uint32_t use, ir_edge edge) {
  held_use h;
  memset (&h, 0, sizeof h);  // padding takes part in the comparison
  h.use = use;
  h.count = 1;
  h.must = true;
  h.edge = edge.i;
  return h;
}

void effect_push_held (effect *e, held_use h) {
  if (at_limit (LOCKS_HELD, e->num_held)) e->overflowed = true;
  else e->held[e->num_held++] = h;
}

static void remove_held (effect *e, held_use *h) {
  uint32_t k = (uint32_t) (h - e->held);
  memmove (h, h + 1, (e->num_held - k - 1) * sizeof *h);
  e->num_held--;
}

static void enter_histories (effects *t, effect *e, uint32_t set) {
  for (uint32_t k = 0; k < e->num_held; k++) e->held[k].history = idset_unite (&t->sets, e->held[k].history, set);
  e->acquired = idset_unite (&t->sets, e->acquired, set);
}

// ---- locks held since a creation ----------------------------------------------------------------------------------
held_since effect_pair (const effects *t, uint32_t item) {
  return *(const held_since *) intern_get (&t->pairs, item, NULL);
}
uint32_t effect_pair_item (effects *t, held_since p) { return intern_add (&t->pairs, &p, sizeof p, NULL); }

static void add_since (effects *t, effect *e, uint32_t create) {
  for (uint32_t k = 0; k < e->num_held; k++)
    if (e->held[k].must)
      e->since = idset_add (&t->sets, e->since, effect_pair_item (t, (held_since){create, e->held[k].use}));
}

// A new thread replaces an earlier one of the same creation: the pairs are used only for kinds with one thread at a
// time.
void effect_create (effects *t, effect *e, ir_edge create) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, e->since, &count);
  for (uint32_t k = 0; k < count; k++)
    if (effect_pair (t, items[k]).create == create.i) e->since = idset_remove (&t->sets, e->since, items[k]);
  e->created = idset_add (&t->sets, e->created, create.i);
  add_since (t, e, create.i);
}

static void end_since (effects *t, effect *e, uint32_t lock) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, e->since, &count);
  for (uint32_t k = 0; k < count; k++)
    if (use_lock ((lock_use){effect_pair (t, items[k]).use}) == lock)
      e->since = idset_remove (&t->sets, e->since, items[k]);
}

// ---- acquiring ---------------------------------------------------------------------------------------------------
static void count_once_more (held_use *h) {
  if (!at_limit (LOCK_COUNT, h->count)) h->count++;
  else h->must = false;
}

// Acquires an rwlock that the thread holds.  Reading again succeeds.  Whoever holds it for writing gets an error and
// goes on. A reader that wants to write blocks itself.
static bool acquire_rw_again (held_use *h, bool reads) {
  bool has_read = use_reads ((lock_use){h->use});
  if (has_read && reads) count_once_more (h);
  return !has_read || reads || !h->must;
}

// Acquires a mutex that the thread holds.  A recursive one counts.  An error-checking one fails and does not change.
// If the mutex may be either, the count becomes unknown.
static bool acquire_mutex_again (effects *t, held_use *h, bool threaded) {
  uint32_t lock = use_lock ((lock_use){h->use});
  bool recursive = lock_may_be (t->locks, lock, IR_MUTEX_RECURSIVE, threaded),
       checks = lock_may_be (t->locks, lock, IR_MUTEX_ERRORCHECK, threaded);
  if (recursive) count_once_more (h);
  if (recursive && checks) h->must = false;
  return recursive || checks || !h->must;
}

static bool acquire_held (effects *t, held_use *h, bool reads, bool threaded) {
  switch (lock_at (t->locks, use_lock ((lock_use){h->use}))->family) {
  case IR_F_RWLOCK: return acquire_rw_again (h, reads);
  case IR_F_REGION: h->count++; return true;
  case IR_F_MUTEX: return acquire_mutex_again (t, h, threaded);
  case IR_F_SEM: return true;  // see semaphore_lock.c
  default: return !h->must;
  }
}

// A thread that acquires such a lock did not hold it, and does not hold it twice.
static bool is_taken_once (effects *t, uint32_t lock, bool threaded) {
  ir_family family = (ir_family) lock_at (t->locks, lock)->family;
  if (family == IR_F_SPIN || family == IR_NO_FAMILY || family == IR_F_SEM) return true;
  return family == IR_F_MUTEX && !lock_may_be (t->locks, lock, IR_MUTEX_RECURSIVE, threaded) &&
         !lock_may_be (t->locks, lock, IR_MUTEX_ERRORCHECK, threaded);
}

// A thread that acquires a lock it holds waits for ever, unless another thread releases the lock.  Whether one does is
// known only later.
static bool continues_after_relock (effects *t, uint32_t lock, bool got_it) {
  if (!got_it) map_insert (&t->self_blocked, lock, 1, NULL);
  return got_it || t->others_may_release;
}

// Acquires a lock that the path holds already.
static bool acquire_again (effects *t, effect *e, held_use *h, bool reads, bool threaded) {
  bool goes_on = continues_after_relock (t, use_lock ((lock_use){h->use}), acquire_held (t, h, reads, threaded));
  effect_canonicalise (t, e);
  return goes_on;
}

// Acquires an unresolved lock.  One entry stands for any number of them, and histories leave them out.
static bool acquire_unresolved (const effects *t, effect *e, lock_use u, ir_edge edge) {
  effect_push_held (e, held_new (u.i, edge));
  effect_canonicalise (t, e);
  return true;
}

// Acquiring the lock again fails, or may fail, without blocking.
static bool may_fail_again (effects *t, const held_use *h, bool threaded) {
  uint32_t lock = use_lock ((lock_use){h->use});
  ir_family family = (ir_family) lock_at (t->locks, lock)->family;
  if (family == IR_F_RWLOCK) return !use_reads ((lock_use){h->use});
  return family == IR_F_MUTEX && lock_may_be (t->locks, lock, IR_MUTEX_ERRORCHECK, threaded);
}

// The same, where it is not known which path holds the lock.
bool effect_relock_may_fail (const effects *t, lock_use u) {
  ir_family family = (ir_family) lock_at (t->locks, use_lock (u))->family;
  return family == IR_F_RWLOCK ||
         (family == IR_F_MUTEX && lock_ever_may_be (t->locks, use_lock (u), IR_MUTEX_ERRORCHECK));
}

static void demote_to_may (effects *t, effect *e, held_use *h) {
  h->must = false;
  end_since (t, e, use_lock ((lock_use){h->use}));
}

// A lock that is held under another name may be the same one.  If the acquire fails for that reason, the release that
// follows releases what is held.
static void demote_aliases (effects *t, effect *e, lock_use u, bool threaded) {
  for (uint32_t k = 0; k < e->num_held; k++) {
    held_use *h = &e->held[k];
    uint32_t lock = use_lock ((lock_use){h->use});
    if (held_is_may (t, h) || lock == use_lock (u)) continue;
    if (may_fail_again (t, h, threaded) && lock_may_alias (t->locks, lock, use_lock (u))) demote_to_may (t, e, h);
  }
}

bool effect_acquire (effects *t, effect *e, lock_use u, ir_edge edge, bool threaded) {
  demote_aliases (t, e, u, threaded);
  uint32_t item = u.i, one = idset_make (&t->sets, &item, 1);
  if (lock_is_unresolved (t->locks, use_lock (u))) return acquire_unresolved (t, e, u, edge);
  held_use *h = effect_find (e, u);
  if (h && !h->must && is_taken_once (t, use_lock (u), threaded)) {
    remove_held (e, h);  // it was released in between
    h = NULL;
  }
  if (h) return acquire_again (t, e, h, use_reads (u), threaded);
  if (!may_have_been_released (t, e, u)) e->needs_free = idset_add (&t->sets, e->needs_free, u.i);
  enter_histories (t, e, one);
  effect_push_held (e, held_new (u.i, edge));
  effect_canonicalise (t, e);
  return true;
}

// ---- releasing ---------------------------------------------------------------------------------------------------
// Releases an unresolved lock: every lock that may alias it is only may-held from here on.
static void release_unresolved (effects *t, effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_held; k++)
    if (lock_may_alias (t->locks, use_lock ((lock_use){e->held[k].use}), use_lock (u)))
      demote_to_may (t, e, &e->held[k]);
}

void effect_note_released (effect *e, lock_use u) {
  if (was_released (e, u)) return;
  if (at_limit (LOCKS_RELEASED, e->num_released)) e->overflowed = true;
  else e->released[e->num_released++] = u.i;
}

// After one release of a lock that the path may hold several times, it may still hold the lock.
static bool may_be_held_still (const effects *t, const held_use *h) {
  uint32_t lock = use_lock ((lock_use){h->use});
  ir_family family = (ir_family) lock_at (t->locks, lock)->family;
  if (h->must) return h->count > 1;
  return family == IR_F_RWLOCK || family == IR_F_REGION ||
         (family == IR_F_MUTEX && lock_ever_may_be (t->locks, lock, IR_MUTEX_RECURSIVE));
}

static void release_held (effects *t, effect *e, held_use *h) {
  if (!may_be_held_still (t, h)) {
    end_since (t, e, use_lock ((lock_use){h->use}));
    remove_held (e, h);
  } else if (h->must) h->count--;
}

void effect_release_fully (effects *t, effect *e, lock_use u) {
  held_use *h = effect_find (e, u);
  if (!h) return;
  end_since (t, e, use_lock (u));
  remove_held (e, h);
}

void effect_release (effects *t, effect *e, lock_use u) {
  held_use *h = lock_is_unresolved (t->locks, use_lock (u)) ? NULL : effect_find (e, u);
  if (h) {
    release_held (t, e, h);
    return;
  }
  release_unresolved (t, e, u);
  effect_note_released (e, u);
  effect_canonicalise (t, e);
}

// ---- composition ----------------------------------------------------------------------------------------------
// The second effect acquires a lock that the first one holds.  False: the thread waits for itself.  If the acquire
// fails and the path releases the lock all the same, it releases what the first one holds.
static bool can_take_again (effects *t, effect *first, held_use *h, bool reads, bool threaded) {
  held_use copy = *h;
  if (!continues_after_relock (t, use_lock ((lock_use){h->use}), acquire_held (t, &copy, reads, threaded)))
    return false;
  if (may_fail_again (t, h, threaded)) demote_to_may (t, first, h);
  return true;
}

static bool second_can_follow (effects *t, effect *first, const effect *second, bool threaded) {
  uint32_t count;
  const uint32_t *wanted = idset_items (&t->sets, second->needs_free, &count);
  for (uint32_t k = 0; k < count; k++) {
    held_use *h = effect_find (first, (lock_use){wanted[k]});
    demote_aliases (t, first, (lock_use){wanted[k]}, threaded);
    if (h && !can_take_again (t, first, h, use_reads ((lock_use){wanted[k]}), threaded)) return false;
  }
  return true;
}

static void add_wanted (effects *t, effect *first, const effect *second) {
  uint32_t count;
  const uint32_t *wanted = idset_items (&t->sets, second->needs_free, &count);
  for (uint32_t k = 0; k < count; k++)
    if (!effect_find (first, (lock_use){wanted[k]}) && !may_have_been_released (t, first, (lock_use){wanted[k]}))
      first->needs_free = idset_add (&t->sets, first->needs_free, wanted[k]);
}

static void hold_as_well (effects *t, effect *e, held_use h, bool threaded) {
  held_use *old = effect_find (e, (lock_use){h.use});
  bool unresolved = lock_is_unresolved (t->locks, use_lock ((lock_use){h.use}));
  if (old && !unresolved && h.must && !old->must && is_taken_once (t, use_lock ((lock_use){h.use}), threaded)) {
    remove_held (e, old);
    old = NULL;
  }
  if (!old) {
    effect_push_held (e, h);
    return;
  }
  if (unresolved) {
    held_merge_may (old, &h);
    return;
  }
  old->must &= h.must && !over_limit (LOCK_COUNT, old->count + h.count);
  old->count = (uint16_t) (old->count + h.count);
}

// Acquiring a lock again that is held (a recursive mutex) never blocks and does not enter histories.
static uint32_t not_held_already (effects *t, effect *first, uint32_t acquired) {
  uint32_t rest = acquired;
  for (uint32_t k = 0; k < first->num_held; k++)
    for (uint32_t reads = 0; reads < 2; reads++)
      rest = idset_remove (&t->sets, rest, use_of (use_lock ((lock_use){first->held[k].use}), reads).i);
  return rest;
}

bool effect_compose (effects *t, effect *first, const effect *second, bool threaded) {
  if (!second_can_follow (t, first, second, threaded)) return false;
  add_wanted (t, first, second);
  for (uint32_t k = 0; k < second->num_released; k++) effect_release (t, first, (lock_use){second->released[k]});
  enter_histories (t, first, not_held_already (t, first, second->acquired));
  uint32_t count;
  const uint32_t *created = idset_items (&t->sets, second->created, &count);
  for (uint32_t k = 0; k < count; k++) effect_create (t, first, (ir_edge){created[k]});
  first->since = idset_unite (&t->sets, first->since, second->since);
  for (uint32_t k = 0; k < second->num_held; k++) hold_as_well (t, first, second->held[k], threaded);
  first->facts = idset_unite (&t->sets, first->facts, second->facts);
  first->overflowed |= second->overflowed;
  effect_canonicalise (t, first);
  return true;
}

// ---- tracked values -----------------------------------------------------------------------------------------------
bool effect_tracked_value (const effect *e, value_term v, ir_value *x) {
  for (uint32_t k = 0; k < e->num_tracked; k++)
    if (e->tracked[k].value == v.i) {
      *x = e->tracked[k].low;
      return true;
    }
  return false;
}

void effect_track (effect *e, value_term v, ir_value x) {
  if (x >> 64 || at_limit (LOCK_KNOWN, e->num_tracked)) return;
  uint32_t k = e->num_tracked;
  for (; k > 0 && e->tracked[k - 1].value >= v.i; k--)
    if (e->tracked[k - 1].value == v.i) return;
  memmove (e->tracked + k + 1, e->tracked + k, (e->num_tracked - k) * sizeof *e->tracked);
  e->tracked[k] = (tracked_value){v.i, 0, (uint64_t) x};
  e->num_tracked++;
}
