// The algebra of effects.  Composition is what makes summaries: a procedure's effect is computed once and put behind every
// path that calls it (LOCK section 5.1: the augmented thread's transitions, as transformers).
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
  map_release (&t->ended);
}

// ---- interning: only what is used of the arrays ------------------------------------------------------------

uint32_t effect_intern (effects *t, const effect *e) {
  char bytes[sizeof (effect)];
  char *at = bytes;
  uint32_t head[] = {e->num_held, e->num_released, e->num_known, e->acquired, e->wanted,
                     e->facts,    e->created,      e->since,     e->lost};
  memcpy (at, head, sizeof head), at += sizeof head;
  memcpy (at, e->held, e->num_held * sizeof *e->held), at += e->num_held * sizeof *e->held;
  memcpy (at, e->released, e->num_released * sizeof *e->released), at += e->num_released * sizeof *e->released;
  memcpy (at, e->known, e->num_known * sizeof *e->known), at += e->num_known * sizeof *e->known;
  return intern_add (&t->table, bytes, (size_t) (at - bytes), NULL);
}

void effect_load (const effects *t, uint32_t number, effect *e) {
  const char *at = intern_get (&t->table, number, NULL);
  uint32_t head[9];
  memcpy (head, at, sizeof head), at += sizeof head;
  *e = (effect){.num_held = head[0],
                .num_released = head[1],
                .num_known = head[2],
                .acquired = head[3],
                .wanted = head[4],
                .facts = head[5],
                .created = head[6],
                .since = head[7],
                .lost = head[8]};
  memcpy (e->held, at, e->num_held * sizeof *e->held), at += e->num_held * sizeof *e->held;
  memcpy (e->released, at, e->num_released * sizeof *e->released), at += e->num_released * sizeof *e->released;
  memcpy (e->known, at, e->num_known * sizeof *e->known);
}

// ---- holding --------------------------------------------------------------------------------------------------
held_lock *effect_find (effect *e, lock_use u) {
  for (uint32_t k = e->num_held; k-- > 0;)
    if (use_lock ((lock_use){e->held[k].use}) == use_lock (u)) return &e->held[k];
  return NULL;
}

const held_lock *effect_may_hold (const effects *t, const effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_held; k++)
    if (lock_may_equal (t->locks, use_lock ((lock_use){e->held[k].use}), use_lock (u))) return &e->held[k];
  return NULL;
}

static bool was_released (const effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_released; k++)
    if (use_lock ((lock_use){e->released[k]}) == use_lock (u)) return true;
  return false;
}

// By whatever name: the release may have meant this lock.
static bool may_have_been_released (const effects *t, const effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_released; k++)
    if (lock_may_equal (t->locks, use_lock ((lock_use){e->released[k]}), use_lock (u))) return true;
  return false;
}

// A lock that may have been given back, or that may be one of several, excludes nobody: when it was taken and what was taken since does not matter.
static bool is_loose (const effects *t, const held_lock *h) {
  return !h->sure || lock_is_vague (t->locks, use_lock ((lock_use){h->use}));
}

static int by_use (const void *x, const void *y) {
  const held_lock *a = x, *b = y;
  return a->use < b->use ? -1 : a->use > b->use;
}

static int by_number (const void *x, const void *y) {
  uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;
  return a < b ? -1 : a > b;
}

static void loosen (held_lock *h) {
  h->history = IDSET_EMPTY;
  h->count = 1;
}

// One of the two names the place that is shown.
static void merge_loose (held_lock *into, const held_lock *other) {
  into->sure &= other->sure;
  if (other->edge < into->edge) into->edge = other->edge;
}

static void settle_held (const effects *t, effect *e) {
  held_lock loose[MOST_HELD];
  uint32_t kept = 0, count = 0;
  for (uint32_t k = 0; k < e->num_held; k++)
    if (is_loose (t, &e->held[k])) loose[count++] = e->held[k];
    else e->held[kept++] = e->held[k];
  qsort (loose, count, sizeof *loose, by_use);
  uint32_t tight = kept;
  for (uint32_t k = 0; k < count; k++) {
    loosen (&loose[k]);
    if (kept > tight && e->held[kept - 1].use == loose[k].use) merge_loose (&e->held[kept - 1], &loose[k]);
    else e->held[kept++] = loose[k];
  }
  e->num_held = kept;
}

static void settle_released (const effects *t, effect *e) {
  uint32_t vague[MOST_RELEASED], kept = 0, count = 0;
  for (uint32_t k = 0; k < e->num_released; k++)
    if (lock_is_vague (t->locks, use_lock ((lock_use){e->released[k]}))) vague[count++] = e->released[k];
    else e->released[kept++] = e->released[k];
  qsort (vague, count, sizeof *vague, by_number);
  for (uint32_t k = 0; k < count; k++)
    if (!k || vague[k] != vague[k - 1]) e->released[kept++] = vague[k];
  e->num_released = kept;
}

// The one form of equal effects: what is known for sure in order, then the rest by number.
static void settle (const effects *t, effect *e) {
  settle_held (t, e);
  settle_released (t, e);
}

static held_lock held_new (uint32_t use, ir_edge edge) {
  held_lock h;
  memset (&h, 0, sizeof h);  // padding takes part in the comparison
  h.use = use;
  h.count = 1;
  h.sure = true;
  h.edge = edge.i;
  return h;
}

static void hold (effect *e, held_lock h) {
  if (e->num_held == MOST_HELD) e->lost = true;
  else e->held[e->num_held++] = h;
}

static void drop (effect *e, held_lock *h) {
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
    if (e->held[k].sure)
      e->since = idset_add (&t->sets, e->since, effect_pair_item (t, (held_since){create, e->held[k].use}));
}

// An earlier thread of the same place counts no longer (only kinds with one thread at a time are judged by this).
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

// ---- taking ------------------------------------------------------------------------------------------------------
static void count_once_more (held_lock *h) {
  if (h->count < MOST_COUNT) h->count++;
  else h->sure = false;
}

// Readers may be several; who has it for writing fails at once and goes on; a reader that wants to write waits for itself.
static bool acquire_rw_again (held_lock *h, bool reads) {
  bool has_read = use_reads ((lock_use){h->use});
  if (has_read && reads) count_once_more (h);
  return !has_read || reads || !h->sure;
}

// Once more if the mutex may be recursive; if it checks for errors that fails and changes nothing; if it may be either, who knows how often it is held.
static bool acquire_mutex_again (effects *t, held_lock *h, bool late) {
  uint32_t lock = use_lock ((lock_use){h->use});
  bool recursive = lock_may_be (t->locks, lock, IR_MUTEX_RECURSIVE, late),
       checks = lock_may_be (t->locks, lock, IR_MUTEX_ERRORCHECK, late);
  if (recursive) count_once_more (h);
  if (recursive && checks) h->sure = false;
  return recursive || checks || !h->sure;
}

static bool acquire_held (effects *t, held_lock *h, bool reads, bool late) {
  switch (lock_at (t->locks, use_lock ((lock_use){h->use}))->family) {
  case LOCK_RW: return acquire_rw_again (h, reads);
  case LOCK_ATOMIC: h->count++; return true;
  case LOCK_MUTEX: return acquire_mutex_again (t, h, late);
  case LOCK_SEMAPHORE: return true;  // see semaphore.c
  default: return !h->sure;
  }
}

// Whoever gets it did not have it, nor has it twice.
static bool is_taken_once (effects *t, uint32_t lock, bool late) {
  lock_family family = (lock_family) lock_at (t->locks, lock)->family;
  if (family == LOCK_SPIN || family == LOCK_CELL || family == LOCK_SEMAPHORE) return true;
  return family == LOCK_MUTEX && !lock_may_be (t->locks, lock, IR_MUTEX_RECURSIVE, late) &&
         !lock_may_be (t->locks, lock, IR_MUTEX_ERRORCHECK, late);
}

// Who waits for himself waits for ever, unless others give the lock back: whether they do is known later.
static bool goes_on_after (effects *t, uint32_t lock, bool got_it) {
  if (!got_it) map_insert (&t->ended, lock, 1, NULL);
  return got_it || t->never_ends;
}

// It holds the lock already.
static bool acquire_again (effects *t, effect *e, held_lock *h, bool reads, bool late) {
  bool goes_on = goes_on_after (t, use_lock ((lock_use){h->use}), acquire_held (t, h, reads, late));
  settle (t, e);
  return goes_on;
}

// Some lock of that kind.  One name is enough for several, and in histories it would exclude nobody.
static bool acquire_vaguely (const effects *t, effect *e, lock_use u, ir_edge edge) {
  hold (e, held_new (u.i, edge));
  settle (t, e);
  return true;
}

// Taking it once more fails, or may fail, without waiting.
static bool may_fail_again (effects *t, const held_lock *h, bool late) {
  uint32_t lock = use_lock ((lock_use){h->use});
  lock_family family = (lock_family) lock_at (t->locks, lock)->family;
  if (family == LOCK_RW) return !use_reads ((lock_use){h->use});
  return family == LOCK_MUTEX && lock_may_be (t->locks, lock, IR_MUTEX_ERRORCHECK, late);
}

// The same before it is known who holds it, and when.
bool effect_may_fail_for_holder (const effects *t, lock_use u) {
  lock_family family = (lock_family) lock_at (t->locks, use_lock (u))->family;
  return family == LOCK_RW ||
         (family == LOCK_MUTEX && (lock_may_be (t->locks, use_lock (u), IR_MUTEX_ERRORCHECK, false) ||
                                   lock_may_be (t->locks, use_lock (u), IR_MUTEX_ERRORCHECK, true)));
}

static void doubt (effects *t, effect *e, held_lock *h) {
  h->sure = false;
  end_since (t, e, use_lock ((lock_use){h->use}));
}

// What is held by another name may be the same lock: if taking it fails, the release that follows gives back what is held.
static void doubt_aliases (effects *t, effect *e, lock_use u, bool late) {
  for (uint32_t k = 0; k < e->num_held; k++) {
    held_lock *h = &e->held[k];
    uint32_t lock = use_lock ((lock_use){h->use});
    if (is_loose (t, h) || lock == use_lock (u)) continue;
    if (may_fail_again (t, h, late) && lock_may_equal (t->locks, lock, use_lock (u))) doubt (t, e, h);
  }
}

bool effect_acquire (effects *t, effect *e, lock_use u, ir_edge edge, bool late) {
  doubt_aliases (t, e, u, late);
  uint32_t item = u.i, one = idset_make (&t->sets, &item, 1);
  if (lock_is_vague (t->locks, use_lock (u))) return acquire_vaguely (t, e, u, edge);
  held_lock *h = effect_find (e, u);
  if (h && !h->sure && is_taken_once (t, use_lock (u), late)) {
    drop (e, h);  // it was given back
    h = NULL;
  }
  if (h) return acquire_again (t, e, h, use_reads (u), late);
  if (!may_have_been_released (t, e, u)) e->wanted = idset_add (&t->sets, e->wanted, u.i);
  enter_histories (t, e, one);
  hold (e, held_new (u.i, edge));
  settle (t, e);
  return true;
}

// ---- giving back -------------------------------------------------------------------------------------------------
// Gives back a lock whose identity is not certain: what it may be is no longer surely held.
static void release_vaguely (effects *t, effect *e, lock_use u) {
  for (uint32_t k = 0; k < e->num_held; k++)
    if (lock_may_equal (t->locks, use_lock ((lock_use){e->held[k].use}), use_lock (u))) doubt (t, e, &e->held[k]);
}

static void give_back (effect *e, lock_use u) {
  if (was_released (e, u)) return;
  if (e->num_released == MOST_RELEASED) e->lost = true;
  else e->released[e->num_released++] = u.i;
}

// Of a lock that may be held several times one release leaves nothing certain.
static bool may_be_held_still (const effects *t, const held_lock *h) {
  uint32_t lock = use_lock ((lock_use){h->use});
  lock_family family = (lock_family) lock_at (t->locks, lock)->family;
  if (h->sure) return h->count > 1;
  return family == LOCK_RW || family == LOCK_ATOMIC ||
         (family == LOCK_MUTEX && (lock_may_be (t->locks, lock, IR_MUTEX_RECURSIVE, false) ||
                                   lock_may_be (t->locks, lock, IR_MUTEX_RECURSIVE, true)));
}

static void release_held (effects *t, effect *e, held_lock *h) {
  if (!may_be_held_still (t, h)) {
    end_since (t, e, use_lock ((lock_use){h->use}));
    drop (e, h);
  } else if (h->sure) h->count--;
}

void effect_release_fully (effects *t, effect *e, lock_use u) {
  held_lock *h = effect_find (e, u);
  if (!h) return;
  end_since (t, e, use_lock (u));
  drop (e, h);
}

void effect_release (effects *t, effect *e, lock_use u) {
  held_lock *h = lock_is_vague (t->locks, use_lock (u)) ? NULL : effect_find (e, u);
  if (h) {
    release_held (t, e, h);
    return;
  }
  release_vaguely (t, e, u);
  give_back (e, u);
  settle (t, e);
}

// ---- composition ----------------------------------------------------------------------------------------------
// The second takes a lock that the first holds.  False: it waits for itself.  If it fails and gives the lock back all the same, it gives back what the first holds.
static bool can_take_again (effects *t, effect *first, held_lock *h, bool reads, bool late) {
  held_lock copy = *h;
  if (!goes_on_after (t, use_lock ((lock_use){h->use}), acquire_held (t, &copy, reads, late))) return false;
  if (may_fail_again (t, h, late)) doubt (t, first, h);
  return true;
}

static bool can_follow (effects *t, effect *first, const effect *second, bool late) {
  uint32_t count;
  const uint32_t *wanted = idset_items (&t->sets, second->wanted, &count);
  for (uint32_t k = 0; k < count; k++) {
    held_lock *h = effect_find (first, (lock_use){wanted[k]});
    doubt_aliases (t, first, (lock_use){wanted[k]}, late);
    if (h && !can_take_again (t, first, h, use_reads ((lock_use){wanted[k]}), late)) return false;
  }
  return true;
}

static void add_wanted (effects *t, effect *first, const effect *second) {
  uint32_t count;
  const uint32_t *wanted = idset_items (&t->sets, second->wanted, &count);
  for (uint32_t k = 0; k < count; k++)
    if (!effect_find (first, (lock_use){wanted[k]}) && !may_have_been_released (t, first, (lock_use){wanted[k]}))
      first->wanted = idset_add (&t->sets, first->wanted, wanted[k]);
}

static void hold_as_well (effects *t, effect *e, held_lock h, bool late) {
  held_lock *old = effect_find (e, (lock_use){h.use});
  bool vague = lock_is_vague (t->locks, use_lock ((lock_use){h.use}));
  if (old && !vague && h.sure && !old->sure && is_taken_once (t, use_lock ((lock_use){h.use}), late)) {
    drop (e, old);
    old = NULL;
  }
  if (!old) {
    hold (e, h);
    return;
  }
  if (vague) {
    merge_loose (old, &h);
    return;
  }
  old->sure &= h.sure && old->count + h.count <= MOST_COUNT;
  old->count = (uint16_t) (old->count + h.count);
}

// Taking once more what is held (a recursive mutex) waits for nobody, and is nothing for a history.
static uint32_t not_held_already (effects *t, effect *first, uint32_t acquired) {
  uint32_t rest = acquired;
  for (uint32_t k = 0; k < first->num_held; k++)
    for (uint32_t reads = 0; reads < 2; reads++)
      rest = idset_remove (&t->sets, rest, use_of (use_lock ((lock_use){first->held[k].use}), reads).i);
  return rest;
}

bool effect_then (effects *t, effect *first, const effect *second, bool late) {
  if (!can_follow (t, first, second, late)) return false;
  add_wanted (t, first, second);
  for (uint32_t k = 0; k < second->num_released; k++) effect_release (t, first, (lock_use){second->released[k]});
  enter_histories (t, first, not_held_already (t, first, second->acquired));
  uint32_t count;
  const uint32_t *created = idset_items (&t->sets, second->created, &count);
  for (uint32_t k = 0; k < count; k++) effect_create (t, first, (ir_edge){created[k]});
  first->since = idset_unite (&t->sets, first->since, second->since);
  for (uint32_t k = 0; k < second->num_held; k++) hold_as_well (t, first, second->held[k], late);
  first->facts = idset_unite (&t->sets, first->facts, second->facts);
  first->lost |= second->lost;
  settle (t, first);
  return true;
}

// ---- what is forgotten ------------------------------------------------------------------------------------------
static bool loses (const effects *t, uint32_t use, ir_proc f, uint32_t reg) {
  const lock_node *n = lock_at (t->locks, use_lock ((lock_use){use}));
  return n->edge != IR_NONE && value_uses (t->locks->values, (value){n->base}, f, reg);
}

static uint32_t without (effects *t, uint32_t set, ir_proc f, uint32_t reg) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  uint32_t rest = set;
  for (uint32_t k = 0; k < count; k++)
    if (loses (t, items[k], f, reg)) rest = idset_remove (&t->sets, rest, items[k]);
  return rest;
}

static uint32_t since_without (effects *t, uint32_t set, ir_proc f, uint32_t reg) {
  uint32_t count, rest = set;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  for (uint32_t k = 0; k < count; k++)
    if (loses (t, effect_pair (t, items[k]).use, f, reg)) rest = idset_remove (&t->sets, rest, items[k]);
  return rest;
}

static uint32_t forgotten (effects *t, uint32_t use) {
  lock_use u = {use};
  return use_of (lock_forgotten (t->locks, use_lock (u)), use_reads (u)).i;
}

// A lock that may have been tried in vain loses its name: it may have been given back for somebody else.
static void give_back_nameless (effects *t, effect *e, uint32_t use) {
  if (effect_may_fail_for_holder (t, (lock_use){use})) give_back (e, (lock_use){forgotten (t, use)});
}

static uint32_t wanted_without (effects *t, effect *e, ir_proc f, uint32_t reg) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, e->wanted, &count);
  for (uint32_t k = 0; k < count; k++)
    if (loses (t, items[k], f, reg)) give_back_nameless (t, e, items[k]);
  return without (t, e->wanted, f, reg);
}

void effect_forget (effects *t, effect *e, ir_proc f, uint32_t reg) {
  for (uint32_t k = 0; k < e->num_held; k++) {
    e->held[k].history = without (t, e->held[k].history, f, reg);
    if (loses (t, e->held[k].use, f, reg)) e->held[k].use = forgotten (t, e->held[k].use);
  }
  for (uint32_t k = 0; k < e->num_released; k++)
    if (loses (t, e->released[k], f, reg)) e->released[k] = forgotten (t, e->released[k]);
  e->acquired = without (t, e->acquired, f, reg);
  e->wanted = wanted_without (t, e, f, reg);
  e->since = since_without (t, e->since, f, reg);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < e->num_known; k++)
    if (!value_uses (t->locks->values, (value){e->known[k].value}, f, reg)) e->known[kept++] = e->known[k];
  e->num_known = kept;
  settle (t, e);
}

void effect_forget_histories (effects *t, effect *e) {
  uint32_t count, kept = IDSET_EMPTY;
  const uint32_t *wanted = idset_items (&t->sets, e->wanted, &count);
  for (uint32_t k = 0; k < count; k++)
    if (effect_may_fail_for_holder (t, (lock_use){wanted[k]})) kept = idset_add (&t->sets, kept, wanted[k]);
  for (uint32_t k = 0; k < e->num_held; k++) e->held[k].history = IDSET_EMPTY;
  e->acquired = IDSET_EMPTY;
  e->wanted = kept;
}

// ---- other names -------------------------------------------------------------------------------------------------
static bool keeps_name (const effects *t, uint32_t use, uint32_t set_size) {
  uint32_t lock = use_lock ((lock_use){use});
  return set_size <= MOST_NAMES ? !lock_is_vague (t->locks, lock) : lock_is_fixed (t->locks, lock);
}

static uint32_t rename_set (effects *t, uint32_t set, lock_renamer *name, void *state) {
  uint32_t count, result = IDSET_EMPTY;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t use = name (state, items[k]);
    if (keeps_name (t, use, count)) result = idset_add (&t->sets, result, use);
  }
  return result;
}

static uint32_t rename_wanted (effects *t, effect *e, lock_renamer *name, void *state) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, e->wanted, &count);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t use = name (state, items[k]);
    if (!keeps_name (t, use, count)) give_back_nameless (t, e, use);
  }
  return rename_set (t, e->wanted, name, state);
}

// The term of a lock that excludes nobody is of use only where it was taken; elsewhere recursion would find ever new ones.
static uint32_t rename_held (effects *t, const held_lock *h, lock_renamer *name, void *state) {
  uint32_t use = name (state, h->use);
  return h->sure ? use : forgotten (t, use);
}

static uint32_t rename_since (effects *t, uint32_t set, lock_renamer *name, void *state) {
  uint32_t count, result = IDSET_EMPTY;
  const uint32_t *items = idset_items (&t->sets, set, &count);
  for (uint32_t k = 0; k < count; k++) {
    held_since p = effect_pair (t, items[k]);
    p.use = name (state, p.use);
    if (!lock_is_vague (t->locks, use_lock ((lock_use){p.use})))
      result = idset_add (&t->sets, result, effect_pair_item (t, p));
  }
  return result;
}

void effect_rename (effects *t, effect *e, lock_renamer *name, void *state) {
  for (uint32_t k = 0; k < e->num_held; k++) {
    e->held[k].use = rename_held (t, &e->held[k], name, state);
    e->held[k].history = rename_set (t, e->held[k].history, name, state);
  }
  for (uint32_t k = 0; k < e->num_released; k++) e->released[k] = name (state, e->released[k]);
  e->acquired = rename_set (t, e->acquired, name, state);
  e->wanted = rename_wanted (t, e, name, state);
  e->facts = rename_set (t, e->facts, name, state);
  e->since = rename_since (t, e->since, name, state);
  settle (t, e);
}

// ---- comparison ---------------------------------------------------------------------------------------------------
static bool same_knowledge (const effect *a, const effect *b) {
  return a->num_known == b->num_known && a->lost == b->lost &&
         !memcmp (a->known, b->known, a->num_known * sizeof *a->known);
}

static uint32_t num_tight (const effects *t, const effect *e) {
  uint32_t k = 0;
  while (k < e->num_held && !is_loose (t, &e->held[k])) k++;
  return k;
}

static bool covers_tight (const effects *t, const held_lock *w, const held_lock *s) {
  return !is_loose (t, s) && w->use == s->use && w->count == s->count &&
         idset_within (&t->sets, w->history, s->history);
}

static bool holds_loosely (const effect *e, uint32_t tight, const held_lock *h) {
  for (uint32_t k = tight; k < e->num_held; k++)
    if (e->held[k].use == h->use) return !e->held[k].sure || h->sure;
  return false;
}

// The weaker one is certain of no more, and may hold whatever the stronger one may.
static bool covers_held (const effects *t, const effect *weaker, const effect *stronger) {
  uint32_t tight = num_tight (t, weaker), matched = 0;
  for (uint32_t k = 0; k < stronger->num_held; k++) {
    const held_lock *h = &stronger->held[k];
    if (matched < tight && covers_tight (t, &weaker->held[matched], h)) matched++;
    else if (!holds_loosely (weaker, tight, h)) return false;
  }
  return matched == tight;
}

static uint32_t num_named (const effects *t, const effect *e) {
  uint32_t k = 0;
  while (k < e->num_released && !lock_is_vague (t->locks, use_lock ((lock_use){e->released[k]}))) k++;
  return k;
}

// Whatever may be given back, the weaker one may give back too.
static bool covers_released (const effects *t, const effect *weaker, const effect *stronger) {
  uint32_t named = num_named (t, weaker), k = named;
  if (named != num_named (t, stronger)) return false;
  if (memcmp (weaker->released, stronger->released, named * sizeof *weaker->released)) return false;
  for (uint32_t j = named; j < stronger->num_released; j++) {
    while (k < weaker->num_released && weaker->released[k] < stronger->released[j]) k++;
    if (k == weaker->num_released || weaker->released[k] != stronger->released[j]) return false;
  }
  return true;
}

// Who finds a lock held by his caller, and fails to take it, may give back the caller's: having wanted it is not the same as not having wanted it.
static bool covers_wanted (const effects *t, const effect *weaker, const effect *stronger) {
  uint32_t count;
  const uint32_t *items = idset_items (&t->sets, stronger->wanted, &count);
  for (uint32_t k = 0; k < count; k++)
    if (!idset_has (&t->sets, weaker->wanted, items[k]) && effect_may_fail_for_holder (t, (lock_use){items[k]}))
      return false;
  return idset_within (&t->sets, weaker->wanted, stronger->wanted);
}

bool effect_covers (const effects *t, const effect *weaker, const effect *stronger) {
  if (!same_knowledge (weaker, stronger) || !covers_held (t, weaker, stronger) ||
      !covers_released (t, weaker, stronger) || !covers_wanted (t, weaker, stronger))
    return false;
  return idset_within (&t->sets, weaker->acquired, stronger->acquired) &&
         idset_within (&t->sets, weaker->facts, stronger->facts) &&
         idset_within (&t->sets, weaker->created, stronger->created) &&
         idset_within (&t->sets, weaker->since, stronger->since);
}

// ---- joining ------------------------------------------------------------------------------------------------------
static bool same_but_for_loose (const effects *t, const effect *a, const effect *b) {
  uint32_t tight = num_tight (t, a), named = num_named (t, a);
  return same_knowledge (a, b) && tight == num_tight (t, b) && named == num_named (t, b) &&
         a->acquired == b->acquired && a->wanted == b->wanted && a->facts == b->facts && a->created == b->created &&
         a->since == b->since && !memcmp (a->held, b->held, tight * sizeof *a->held) &&
         !memcmp (a->released, b->released, named * sizeof *a->released);
}

void effect_join (const effects *t, effect *e, const effect *other) {
  if (!same_but_for_loose (t, e, other)) return;
  for (uint32_t k = num_tight (t, other); k < other->num_held; k++) {
    held_lock *h = effect_find (e, (lock_use){other->held[k].use});
    if (h && h->use == other->held[k].use) merge_loose (h, &other->held[k]);
    else hold (e, other->held[k]);
  }
  for (uint32_t k = num_named (t, other); k < other->num_released; k++) give_back (e, (lock_use){other->released[k]});
  settle (t, e);
}

// ---- known values -------------------------------------------------------------------------------------------------
bool effect_knows (const effect *e, value v, ir_value *x) {
  for (uint32_t k = 0; k < e->num_known; k++)
    if (e->known[k].value == v.i) {
      *x = e->known[k].low;
      return true;
    }
  return false;
}

void effect_learn (effect *e, value v, ir_value x) {
  if (x >> 64 || e->num_known == MOST_KNOWN) return;
  uint32_t k = e->num_known;
  for (; k > 0 && e->known[k - 1].value >= v.i; k--)
    if (e->known[k - 1].value == v.i) return;
  memmove (e->known + k + 1, e->known + k, (e->num_known - k) * sizeof *e->known);
  e->known[k] = (known_value){v.i, 0, (uint64_t) x};
  e->num_known++;
}
