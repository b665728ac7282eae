// Synchronisation as reads and writes of words, by the rules of ir/sync.h: an operation reads the state of its object,
// goes on only if it is enabled, and writes the new state, all at one node. A thread whose operation is not enabled
// stays where it is; this loses no execution, because every prefix of an execution is one. A thread also knows without
// reading the words whether, and how often, it holds a lock: it counts in memory of its own.
#include "engine/order/walk_impl.h"
#include "symbolic/synchronise.h"

enum { NOT_TOLD = 0x80 /* of a wait: any operation might end it */ };

static order_walk *walker (const sync_step *s) { return s->x->self; }

// ---- terms ------------------------------------------------------------------------------------------
static uint32_t sync_word_offset (const sync_step *s, ir_word w) { return ir_word_at (s->x->program, s->family, w); }
static term sync_and (const sync_step *s, term a, term b) { return term_and (s->p, a, b); }
static term sync_or (const sync_step *s, term a, term b) { return term_or (s->p, a, b); }
static term sync_not (const sync_step *s, term a) { return term_not (s->p, a); }
static term sync_ite (const sync_step *s, term c, term a, term b) { return term_ite (s->p, c, a, b); }

// ---- what a thread holds ----------------------------------------------------------------------------
static uint32_t lock_place (order_walk *w, const target *t) {
  bool is_new;
  uint64_t key = (uint64_t) t->object << 32 | (uint32_t) term_value (w->terms, t->offset);
  return (uint32_t) *map_insert (&w->lock_numbers, key, w->lock_numbers.entries.count, &is_new) * HOLDS_BYTES;
}

static term lock_word_value (order_walk *w, const target *t, uint32_t at) {
  targets one = {0};
  vec_push (&one.list, *t);
  term value = ram_read (w, &one, at, 4).value;
  pointers_release_targets (&one);
  return value;
}

// If an index decides which lock is meant, the owner's word has to say which thread holds it.
static term holds_by_word (const sync_step *s, const target *t) {
  order_walk *w = walker (s);
  uint32_t owner_at = sync_word_offset (s, IR_W_OWNER);
  if (s->family == IR_F_RWLOCK) walk_mark_incomplete (w, t->condition, "which rwlock it is depends on an index");
  if (!term_is_const (w->terms, t->offset)) w->indexed_locks = true;
  else
    map_insert (&w->locks_by_word, (uint64_t) t->object << 32 | (uint32_t) term_value (w->terms, t->offset), owner_at,
                NULL);
  return sync_ite (s, term_eq (w->terms, lock_word_value (w, t, owner_at), s->self), sync_number (s, 1),
                   sync_number (s, 0));
}

static bool has_holder_by_word (order_walk *w, const target *t) {
  if (!term_is_const (w->terms, t->offset)) sharing_mark_by_word (w->sharing, t->object);
  return w->sharing->objects.data[t->object].locks_by_word;
}

static term holds_one (const sync_step *s, const target *t, uint32_t which) {
  order_walk *w = walker (s);
  if (has_holder_by_word (w, t)) return holds_by_word (s, t);
  term at = sync_number (s, lock_place (w, t) + which);
  return contents_load (&w->contents, path_memory (w, w->now, thread_notes (w)), at, 4).value;
}

static term hold_count (const sync_step *s, uint32_t which) {
  term all = sync_number (s, 0);
  for (uint32_t k = 0; k < s->at.list.count; k++)
    all = sync_ite (s, s->at.list.data[k].condition, holds_one (s, &s->at.list.data[k], which), all);
  return all;
}

static void set_holds (const sync_step *s, uint32_t which, term value, term condition) {
  order_walk *w = walker (s);
  uint32_t notes = thread_notes (w);
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    if (has_holder_by_word (w, t)) continue;
    contents before = path_memory (w, w->now, notes);
    contents after = contents_store (&w->contents, before, sync_number (s, lock_place (w, t) + which), 4,
                                     cells_defined (w->terms, value, 4));
    path_set_memory (w, w->now, notes,
                     contents_choose (&w->contents, sync_and (s, t->condition, condition), after, before));
  }
}

static term holds_any_by_word (order_walk *w) {
  term any = w->terms->falsity, self = walk_number (w, 32, w->thread + 1);
  for (uint32_t k = 0; k < w->locks_by_word.entries.count; k++) {
    const map_entry *e = &w->locks_by_word.entries.data[k];
    target t = target_at (w->terms->truth, (uint32_t) (e->key >> 32), walk_number (w, 32, (uint32_t) e->key));
    any = term_or (w->terms, any, term_eq (w->terms, lock_word_value (w, &t, (uint32_t) e->value), self));
  }
  return any;
}

term sync_holds_any (order_walk *w) {
  term any = holds_any_by_word (w);
  contents notes = path_memory (w, w->now, thread_notes (w));
  for (uint32_t k = 0; k < w->lock_numbers.entries.count * 2; k++) {
    term held = contents_load (&w->contents, notes, walk_number (w, 32, k * 4), 4).value;
    any = term_or (w->terms, any, term_not (w->terms, term_eq (w->terms, held, walk_number (w, 32, 0))));
  }
  if (w->indexed_locks)
    walk_mark_incomplete (w, w->terms->truth, "whether a thread ends holding a lock depends on an index");
  return any;
}

// The owner's word alone does not say how often a recursive mutex is locked.
static void doubt_counting (const sync_step *s) {
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    if (!has_holder_by_word (walker (s), &s->at.list.data[k])) continue;
    term recursive = term_eq (s->p, sync_read (s, IR_W_KIND), sync_number (s, IR_MUTEX_RECURSIVE));
    walk_mark_incomplete (walker (s), recursive, "which recursive mutex it is depends on an index");
  }
}

// ---- the holder of a lock, before an initialisation -------------------------------------------------
// The previous values of the words are unknown in new memory that other threads may see.
static bool words_are_known (const order_walk *w, const target *t) {
  const walk_object *o = &w->objects.data[t->object];
  return !w->now->published || o->kind == MADE_STATIC || !sharing_shared (w->sharing, t->object, 0, o->most_bytes);
}

// The initialised object need not be a lock; then its first word is checked as a mutex's is.
static ir_family shadow_family (ir_family family) { return ir_family_is_lock (family) ? family : IR_F_MUTEX; }

static term is_lock_held_in_walk (const sync_step *s) {
  term any = s->p->falsity;
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    term held = s->p->falsity;
    if (!words_are_known (walker (s), t)) held = shadow_held (walker (s), t, shadow_family (s->family));
    else {
      // The owner word of a spin lock also says that it is destroyed.
      term owner = lock_word_value (walker (s), t, sync_word_offset (s, IR_W_OWNER));
      held = sync_not (s, sync_or (s, sync_is (s, owner, 0), term_eq (s->p, owner, sync_number (s, IR_DESTROYED))));
      if (s->family == IR_F_RWLOCK)
        held = sync_or (s, held, sync_not (s, sync_is (s, lock_word_value (walker (s), t, IR_RW_READERS), 0)));
    }
    any = sync_or (s, any, sync_and (s, t->condition, held));
  }
  return any;
}

// ---- waiting threads --------------------------------------------------------------------------------
static term waits_at_in_walk (const sync_step *s, uint32_t thread) {
  order_walk *w = walker (s);
  return ram_cell_read (w, thread_waiting (w, thread), walk_number (w, 32, 0), w->program->pointer_bits / 8,
                        s->p->truth)
      .value;
}

static void set_waits_at_in_walk (const sync_step *s, uint32_t thread, term address, term condition) {
  order_walk *w = walker (s);
  uint32_t bytes = w->program->pointer_bits / 8;
  ram_cell_write (w, thread_waiting (w, thread), walk_number (w, 32, 0), bytes, cells_defined (s->p, address, bytes),
                  condition);
}

// ---- values that rules read -------------------------------------------------------------------------
static bool counts_holds (const sync_step *s, ir_word w) { return s->family == IR_F_MUTEX && w == IR_W_COUNT; }

// Before an initialisation the words may hold arbitrary data.
static term word_before_init (const sync_step *s, ir_word w) {
  if (w != IR_W_OWNER) return sync_number (s, 0);
  return sync_ite (s, is_lock_held_in_walk (s), sync_number (s, 1), sync_number (s, 0));
}

static term word_before_in_walk (const sync_step *s, ir_word w) {
  if (s->facts->action == IR_A_INIT) return word_before_init (s, w);
  return counts_holds (s, w) ? hold_count (s, 0) : sync_read (s, w);
}

static term owns_in_walk (const sync_step *s) { return sync_not (s, sync_is (s, hold_count (s, 0), 0)); }
static term reads_in_walk (const sync_step *s) { return hold_count (s, HOLDS_READING); }

// The object is used before its initialisation or after its destruction.
static term is_unusable_in_walk (const sync_step *s) {
  order_walk *w = walker (s);
  term wrong = s->p->falsity;
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    walk_object_kind kind = w->objects.data[t->object].kind;
    targets one = {0};
    vec_push (&one.list, *t);
    if (kind == MADE_STACK || kind == MADE_HEAP) {
      cells c = ram_read (w, &one, 0, 4);
      wrong = sync_or (s, wrong, sync_and (s, t->condition, sync_is (s, c.undefined, 15)));
    }
    sharing_mark_synchronises (w->sharing, t->object);
    if (sharing_destroyed (w->sharing, t->object) && s->family != IR_F_ONCE) {
      term state = ram_read (w, &one, sync_word_offset (s, IR_W_STATE), 4).value;
      wrong = sync_or (s, wrong, sync_and (s, t->condition, sync_is (s, state, IR_DESTROYED)));
    }
    pointers_release_targets (&one);
  }
  return wrong;
}

// ---- waiting ----------------------------------------------------------------------------------------
static void complete_wait_in_walk (const sync_step *s, waiting *w) {
  if (s->family == IR_F_RWLOCK) w->by_any_thread = sync_is (s, w->owner, 0);
  if (s->family == IR_F_RWLOCK || s->family == IR_F_ONCE) w->by = NOT_TOLD;
}

static void fix_choice_in_walk (const sync_step *s, term several, term any, term woken) {
  order_walk *w = walker (s);
  walk_out (w)->steps.data[w->step].chooses = several;
  vec_push (&w->out->facts, term_implies (s->p, sync_and (s, w->now->guard, any), woken));
}

// ---- notes ------------------------------------------------------------------------------------------
static void note_locks_in_walk (const sync_step *s) {
  bool own = !s->facts->names_mutex && ir_family_is_lock (s->family);
  if (own) shadow_note_locks (walker (s), &s->at, s->family);
}

static void note_misuse_in_walk (const sync_step *s, term wrong) {
  if (s->facts->action == IR_A_INIT && ir_family_is_lock (s->family))
    walk_mark_incomplete (walker (s), wrong, "a lock that is held is initialised");
}

// A mutex or spin lock of another thread becomes free, although that thread has noted that it holds the lock.
static bool takes_away (const sync_step *s, const sync_change *c) {
  if (s->facts->action != IR_A_RELEASE || (s->family != IR_F_MUTEX && s->family != IR_F_SPIN)) return false;
  return !term_is_false (s->p, sync_and (s, walker (s)->now->guard, sync_and (s, c->gives, sync_not (s, c->mine))));
}

static void note_change_in_walk (const sync_step *s, const sync_change *c) {
  sharing *f = walker (s)->sharing;
  if (s->family == IR_F_MUTEX && s->rule->takes) doubt_counting (s);
  bool by_word = takes_away (s, c);
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    if (by_word) sharing_mark_by_word (f, s->at.list.data[k].object);
    if (s->facts->action == IR_A_DESTROY) sharing_mark_destroyed (f, s->at.list.data[k].object);
  }
  if (s->rule->waits) sharing_mark_waiter (f, s->x->thread);
}

// ---- changes ----------------------------------------------------------------------------------------
static void change_word_in_walk (const sync_step *s, ir_word w, term value, term when) {
  bool tells_holder = ir_family_is_lock (s->family) && (w == IR_W_OWNER || w == IR_W_READERS);
  if (counts_holds (s, w) && s->facts->action != IR_A_INIT) {
    set_holds (s, 0, value, when);
    return;
  }
  sync_write (s, w, value, when);
  if (tells_holder) shadow_write (walker (s), &s->at, sync_word_offset (s, w), value, when);
}

// Records holds of locks whose words have no counter: one if the thread owns the lock, and how often it holds it for
// reading.
static void change_holds_in_walk (const sync_step *s, const sync_change *c) {
  term one = sync_number (s, 1);
  if (sync_sets_up (s) || (s->family != IR_F_SPIN && s->family != IR_F_RWLOCK)) return;
  if (s->facts->shared) set_holds (s, HOLDS_READING, term_add (s->p, c->reads, one), c->takes);
  else if (s->rule->takes) set_holds (s, 0, one, c->takes);
  if (!s->rule->gives) return;
  set_holds (s, 0, sync_number (s, 0), c->mine);
  if (s->family == IR_F_RWLOCK)
    set_holds (s, HOLDS_READING, term_sub (s->p, c->reads, one), sync_and (s, c->gives, sync_not (s, c->mine)));
}

static const sync_hooks hooks = {waits_at_in_walk,    set_waits_at_in_walk,  word_before_in_walk,
                                 change_word_in_walk, owns_in_walk,          reads_in_walk,
                                 is_unusable_in_walk, complete_wait_in_walk, NULL,
                                 fix_choice_in_walk,  note_locks_in_walk,    note_misuse_in_walk,
                                 note_change_in_walk, change_holds_in_walk};

void sync_execute (order_walk *w) {
  executor x = walk_executor (w);
  synchronise (&x, &hooks, w->sharing->waiters, w->options->semantics->spurious_wakeups);
}
