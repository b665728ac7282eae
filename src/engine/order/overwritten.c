// A data write that overlaps a lock. Locks are modelled apart from their words, so the walk has no answer where the
// model and the words would disagree: where the write overwrites a held lock, or makes a copy of a held lock. Whether a
// lock was destroyed is known from its words only; they are checked only in objects that may have a destroyed lock.
#include "engine/order/walk_impl.h"

// The running thread holds some lock: a condition that is enough while it is the only thread, although the held lock
// need not be this one.
static term notes_held (order_walk *w, const target *lock) {
  uint64_t key = (uint64_t) lock->object << 32 | (uint32_t) term_value (w->terms, lock->offset);
  const uint64_t *number = map_find (&w->lock_numbers, key);
  contents notes = path_memory (w, w->now, thread_notes (w));
  term held = w->terms->falsity;
  for (uint32_t which = 0; number && which < HOLDS_BYTES; which += 4) {
    term at = walk_number (w, 32, *number * HOLDS_BYTES + which);
    term count = contents_load (&w->contents, notes, at, 4).value;
    held = term_or (w->terms, held, term_not (w->terms, term_eq (w->terms, count, walk_number (w, 32, 0))));
  }
  return held;
}

static term is_some (order_walk *w, term x) {
  return term_not (w->terms, term_eq (w->terms, x, walk_number (w, term_bits (w->terms, x), 0)));
}

// The written value, at the word `at` of the object, says that a thread holds a lock. True for a word that is written
// in part, or at an offset that is not constant, since it may then have any value.
static term says_held (order_walk *w, const target *t, uint32_t bytes, term value, uint32_t at) {
  if (!term_is_const (w->terms, t->offset)) return is_some (w, value);
  uint64_t first = term_value (w->terms, t->offset), end = first + bytes;
  if (end <= at || first >= (uint64_t) at + 4) return w->terms->falsity;
  bool whole = first <= at && at + 4 <= end;
  return is_some (w, whole ? term_extract (w->terms, value, 8 * (unsigned) (at - first), 32) : value);
}

static term becomes_held (order_walk *w, const target *t, uint32_t bytes, term value, lock_fact lock) {
  switch (lock.family) {
  case IR_F_SPIN: return says_held (w, t, bytes, value, lock.offset + IR_SPIN_OWNER);
  case IR_F_MUTEX: return says_held (w, t, bytes, value, lock.offset + IR_MUTEX_OWNER);
  default:
    return term_or (w->terms, says_held (w, t, bytes, value, lock.offset + IR_RW_WRITER),
                    says_held (w, t, bytes, value, lock.offset + IR_RW_READERS));
  }
}

static void lock_overwritten (order_walk *w, const target *t, uint32_t bytes, term value, lock_fact lock) {
  term hit = term_and (w->terms, t->condition, shadow_overlap (w, t, bytes, lock));
  target at = target_at (hit, t->object, walk_number (w, 32, lock.offset));
  if (term_is_false (w->terms, hit)) return;
  sharing_mark_copied (w->sharing, t->object);
  // Another thread may hold the lock even if no two threads use it in parallel: a thread that created this one and
  // waits for it.
  term held = w->now->published ? shadow_held (w, &at, lock.family) : notes_held (w, &at);
  walk_mark_incomplete (w, term_and (w->terms, hit, held), "a lock that is held is overwritten");
  walk_mark_incomplete (w, term_and (w->terms, hit, becomes_held (w, t, bytes, value, lock)),
                        "a copy of a lock that is held");
}

static bool is_zero_const (const order_walk *w, term value) {
  return term_is_const (w->terms, value) && !term_value (w->terms, value);
}

void sync_overwritten (order_walk *w, const targets *t, uint32_t bytes, term value, bool raw) {
  for (uint32_t k = 0; k < t->list.count; k++) {
    uint32_t object = t->list.data[k].object;
    if (raw && !is_zero_const (w, value)) sharing_mark_copied (w->sharing, object);
    for (uint32_t i = 0; i < w->sharing->objects.data[object].locks.count && walk_alive (w); i++)
      lock_overwritten (w, &t->list.data[k], bytes, value, w->sharing->objects.data[object].locks.data[i]);
  }
}
