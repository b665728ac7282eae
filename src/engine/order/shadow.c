// Shadows of locks: whether any thread holds a lock that is about to be initialised or overwritten. The words of the
// lock do not say so in new memory, which has arbitrary contents, and the write destroys them. A shadow is a copy of
// these words that only operations on locks write; it is zero at first. Only objects that need a shadow have one.
#include "engine/order/walk_impl.h"

static const char index_decides[] =
    "which lock is meant, that others may initialise or write over, depends on an index";

void shadow_note_locks (order_walk *w, const targets *t, ir_family family) {
  for (uint32_t k = 0; k < t->list.count; k++) {
    const target *x = &t->list.data[k];
    if (term_is_const (w->terms, x->offset))
      sharing_mark_lock (w->sharing, x->object, (lock_fact){(uint32_t) term_value (w->terms, x->offset), family});
  }
}

static term shadow_offset (order_walk *w, const target *t, uint32_t at) {
  return term_add (w->terms, t->offset, walk_number (w, 32, at));
}

void shadow_write (order_walk *w, const targets *t, uint32_t at, term value, term condition) {
  for (uint32_t k = 0; k < t->list.count; k++) {
    const target *x = &t->list.data[k];
    term meant = term_and (w->terms, condition, x->condition);
    if (!w->sharing->objects.data[x->object].shadowed) continue;
    if (!term_is_const (w->terms, x->offset)) walk_mark_incomplete (w, meant, index_decides);
    else
      ram_cell_write (w, thread_shadow (w, x->object), shadow_offset (w, x, at), 4, cells_defined (w->terms, value, 4),
                      meant);
  }
}

term shadow_held (order_walk *w, const target *t, ir_family family) {
  static const struct {
    uint32_t count, at[2];
  } words[] = {[IR_F_MUTEX] = {1, {IR_MUTEX_OWNER}},
               [IR_F_SPIN] = {1, {IR_SPIN_OWNER}},
               [IR_F_RWLOCK] = {2, {IR_RW_WRITER, IR_RW_READERS}}};
  term held = w->terms->falsity, zero = walk_number (w, 32, 0);
  sharing_mark_shadowed (w->sharing, t->object);
  if (!term_is_const (w->terms, t->offset)) {
    walk_mark_incomplete (w, t->condition, index_decides);
    return held;
  }
  for (uint32_t k = 0; k < words[family].count; k++) {
    term word =
        ram_cell_read (w, thread_shadow (w, t->object), shadow_offset (w, t, words[family].at[k]), 4, t->condition)
            .value;
    held = term_or (w->terms, held, term_not (w->terms, term_eq (w->terms, word, zero)));
  }
  return term_and (w->terms, t->condition, held);
}

// Number of bytes up to the end of the last word of the lock.
uint32_t shadow_bytes (const order_walk *w, ir_family family) {
  if (family == IR_F_SPIN) return IR_SPIN_OWNER + 4;
  return (family == IR_F_RWLOCK ? IR_RW_WRITER : IR_MUTEX_KIND (w->program)) + 4;
}

term shadow_overlap (order_walk *w, const target *t, uint32_t bytes, lock_fact lock) {
  term begin = walk_number (w, 32, lock.offset), end = walk_number (w, 32, lock.offset + shadow_bytes (w, lock.family));
  return term_and (w->terms, term_ult (w->terms, t->offset, end),
                   term_ult (w->terms, begin, term_add (w->terms, t->offset, walk_number (w, 32, bytes))));
}
