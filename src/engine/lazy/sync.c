// Synchronisation as reads and writes of words: an operation reads the state of its object, goes on only if it is enabled (who is not just
// stays where it is: no execution is lost, because every prefix of one is one), and writes the new state, all at one node.  The words
// are those of ir.h; whether a thread itself holds a lock it also knows without reading, as a count in memory of its own.
#include "analysis/wakers.h"
#include "engine/lazy/walk_impl.h"

enum { E_PERM = 1, E_AGAIN = 11, E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35, E_TIMEDOUT = 110 };

enum { NOT_TOLD = 0x80 /* of a wait: any operation might end it */ };

typedef struct sync {
  walk *w;
  term_pool *p;
  const ir_edge_data *d;
  targets at;  // the object, good for an access
  term address;
  term self;  // thread + 1, as the words have it
} sync;

// ---- words ----------------------------------------------------------------------------------------------------
static term number (const sync *s, uint64_t value) { return walk_number (s->w, 32, value); }
static term word (const sync *s, uint32_t at) {
  cells c = ram_read (s->w, &s->at, at, 4);
  return c.value;
}
static void set_word (const sync *s, uint32_t at, term value, term condition) {
  ram_write (s->w, &s->at, at, 4, cells_defined (s->p, value, 4), condition);
}
// A word that tells who holds it.
static void set_holder (const sync *s, uint32_t at, term value, term condition) {
  set_word (s, at, value, condition);
  shadow_write (s->w, &s->at, at, value, condition);
}
static term is_zero (const sync *s, term x) { return term_eq (s->p, x, walk_number (s->w, term_bits (s->p, x), 0)); }
static term both (const sync *s, term a, term b) { return term_and (s->p, a, b); }
static term either (const sync *s, term a, term b) { return term_or (s->p, a, b); }
static term not(const sync *s, term a) { return term_not (s->p, a); }
static term pick (const sync *s, term c, term a, term b) { return term_ite (s->p, c, a, b); }
static void result (const sync *s, term value) { walk_error_result (s->w, value); }

// ---- what a thread holds ----------------------------------------------------------------------------------------
static uint32_t lock_place (walk *w, const target *t) {
  bool is_new;
  uint64_t key = (uint64_t) t->object << 32 | (uint32_t) term_value (w->terms, t->offset);
  return (uint32_t) *map_insert (&w->lock_numbers, key, w->lock_numbers.entries.count, &is_new) * HOLDS_BYTES;
}

// Where an index decides which lock it is, the owner's word has to tell.
static uint32_t owner_word (ir_op op) {
  if (op >= IR_RW_INIT && op <= IR_RW_DESTROY) return IR_RW_WRITER;
  return op >= IR_SPIN_INIT && op <= IR_SPIN_DESTROY ? IR_SPIN_OWNER : IR_MUTEX_OWNER;
}

static term word_of (walk *w, const target *t, uint32_t at) {
  targets one = {0};
  vec_push (&one.list, *t);
  term value = ram_read (w, &one, at, 4).value;
  targets_release (&one);
  return value;
}

static term holds_by_word (const sync *s, const target *t) {
  walk *w = s->w;
  uint32_t owner_at = owner_word (s->d->op);
  if (owner_at == IR_RW_WRITER) walk_doubt (w, t->condition, "which rwlock it is depends on an index");
  if (!term_is_const (w->terms, t->offset)) w->indexed_locks = true;
  else
    map_insert (&w->locks_by_word, (uint64_t) t->object << 32 | (uint32_t) term_value (w->terms, t->offset), owner_at,
                NULL);
  return pick (s, term_eq (w->terms, word_of (w, t, owner_at), s->self), number (s, 1), number (s, 0));
}

static bool is_by_word (walk *w, const target *t) {
  if (!term_is_const (w->terms, t->offset)) sharing_mark_by_word (w->sharing, t->object);
  return w->sharing->objects.data[t->object].locks_by_word;
}

static term holds_one (const sync *s, const target *t, uint32_t which) {
  walk *w = s->w;
  if (is_by_word (w, t)) return holds_by_word (s, t);
  term at = number (s, lock_place (w, t) + which);
  return contents_load (&w->contents, path_memory (w, w->now, thread_notes (w)), at, 4).value;
}

static term holds (const sync *s, uint32_t which) {
  term all = number (s, 0);
  for (uint32_t k = 0; k < s->at.list.count; k++)
    all = pick (s, s->at.list.data[k].condition, holds_one (s, &s->at.list.data[k], which), all);
  return all;
}

static void set_holds (const sync *s, uint32_t which, term value, term condition) {
  walk *w = s->w;
  uint32_t notes = thread_notes (w);
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    if (is_by_word (w, t)) continue;
    contents before = path_memory (w, w->now, notes);
    contents after = contents_store (&w->contents, before, number (s, lock_place (w, t) + which), 4,
                                     cells_defined (w->terms, value, 4));
    path_set_memory (w, w->now, notes,
                     contents_choose (&w->contents, both (s, t->condition, condition), after, before));
  }
}

static term holds_any_by_word (walk *w) {
  term any = w->terms->falsity, self = walk_number (w, 32, w->thread + 1);
  for (uint32_t k = 0; k < w->locks_by_word.entries.count; k++) {
    const map_entry *e = &w->locks_by_word.entries.data[k];
    target t = {w->terms->truth, (uint32_t) (e->key >> 32), walk_number (w, 32, (uint32_t) e->key)};
    any = term_or (w->terms, any, term_eq (w->terms, word_of (w, &t, (uint32_t) e->value), self));
  }
  return any;
}

term sync_holds_any (walk *w) {
  term any = holds_any_by_word (w);
  contents notes = path_memory (w, w->now, thread_notes (w));
  for (uint32_t k = 0; k < w->lock_numbers.entries.count * 2; k++) {
    term held = contents_load (&w->contents, notes, walk_number (w, 32, k * 4), 4).value;
    any = term_or (w->terms, any, term_not (w->terms, term_eq (w->terms, held, walk_number (w, 32, 0))));
  }
  if (w->indexed_locks) walk_doubt (w, w->terms->truth, "whether a thread ends holding a lock depends on an index");
  return any;
}

// ---- mutexes and spin locks ---------------------------------------------------------------------------------------
typedef struct mutex {
  term held, mine, owner, free, recursive, checking;
  uint32_t owner_at;
} mutex;

static mutex look_at_mutex (const sync *s, bool spin) {
  term kind = spin ? number (s, IR_MUTEX_NORMAL) : word (s, IR_MUTEX_KIND (s->w->program));
  mutex m = {.held = holds (s, 0), .owner_at = spin ? IR_SPIN_OWNER : IR_MUTEX_OWNER};
  m.mine = not(s, is_zero (s, m.held));
  m.recursive = term_eq (s->p, kind, number (s, IR_MUTEX_RECURSIVE));
  m.checking = term_eq (s->p, kind, number (s, IR_MUTEX_ERRORCHECK));
  return m;
}

static void read_owner (const sync *s, mutex *m) {
  m->owner = word (s, m->owner_at);
  m->free = is_zero (s, m->owner);
}

static waiting for_owner (const sync *s, term owner) { return (waiting){owner, s->p->falsity, 0, IR_NONE}; }
static waiting for_anybody (const sync *s, uint8_t by) { return (waiting){TERM_NONE, s->p->truth, by, IR_NONE}; }

static void take (const sync *s, const mutex *m, term condition) {
  for (uint32_t k = 0; k < s->at.list.count; k++)
    if (is_by_word (s->w, &s->at.list.data[k]))
      walk_doubt (s->w, m->recursive, "which recursive mutex it is depends on an index");
  set_holder (s, m->owner_at, s->self, both (s, condition, not(s, m->mine)));
  term again = pick (s, m->recursive, term_add (s->p, m->held, number (s, 1)), m->held);
  set_holds (s, 0, pick (s, m->mine, again, number (s, 1)), condition);
}

static void mutex_lock (const sync *s, bool spin) {
  mutex m = look_at_mutex (s, spin);
  term relock = both (s, m.mine, not(s, either (s, m.recursive, m.checking)));
  walk_note_wait (s->w, relock, for_owner (s, s->self));
  walk_goal (s->w, IR_P_LOCKS, relock);
  if (!walk_alive (s->w)) return;
  read_owner (s, &m);
  walk_block (s->w, either (s, m.mine, m.free), for_owner (s, m.owner));
  take (s, &m, s->p->truth);
  result (s, pick (s, both (s, m.mine, m.checking), number (s, E_DEADLK), number (s, 0)));
}

static void mutex_try (const sync *s, bool spin, uint64_t otherwise) {
  mutex m = look_at_mutex (s, spin);
  read_owner (s, &m);
  term can = pick (s, m.mine, m.recursive, m.free);
  take (s, &m, can);
  term refused = number (s, otherwise);
  if (otherwise == E_TIMEDOUT) refused = pick (s, both (s, m.mine, m.checking), number (s, E_DEADLK), refused);
  result (s, pick (s, can, number (s, 0), refused));
}

// Somebody else's normal mutex becomes free, whatever its owner thinks.
static void mutex_unlock (const sync *s, bool spin) {
  mutex m = look_at_mutex (s, spin);
  term foreign = not(s, m.mine), takes_away = both (s, foreign, not(s, either (s, m.recursive, m.checking)));
  walk_misuse (s->w, foreign);
  if (!term_is_false (s->p, both (s, s->w->now->guard, takes_away)))
    for (uint32_t k = 0; k < s->at.list.count; k++) sharing_mark_by_word (s->w->sharing, s->at.list.data[k].object);
  term last = both (s, m.mine, either (s, not(s, m.recursive), term_eq (s->p, m.held, number (s, 1))));
  set_holder (s, m.owner_at, number (s, 0), either (s, last, takes_away));
  set_holds (s, 0, pick (s, last, number (s, 0), term_sub (s->p, m.held, number (s, 1))), m.mine);
  result (s, pick (s, either (s, m.mine, takes_away), number (s, 0), number (s, E_PERM)));
}

// What its words were before is not known of new memory that others may see.
static bool words_are_known (const walk *w, const target *t) {
  const walk_object *o = &w->objects.data[t->object];
  return !w->now->published || o->kind == MADE_STATIC || !sharing_shared (w->sharing, t->object, 0, o->most_bytes);
}

static term is_held (const sync *s, lock_kind kind) {
  static const uint32_t owner_at[] = {
      [LOCK_MUTEX] = IR_MUTEX_OWNER, [LOCK_SPIN] = IR_SPIN_OWNER, [LOCK_RW] = IR_RW_WRITER};
  term any = s->p->falsity;
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    term held = s->p->falsity;
    if (!words_are_known (s->w, t)) held = shadow_held (s->w, t, kind);
    else {
      held = not(s, is_zero (s, word_of (s->w, t, owner_at[kind])));
      if (kind == LOCK_RW) held = either (s, held, not(s, is_zero (s, word_of (s->w, t, IR_RW_READERS))));
    }
    any = either (s, any, both (s, t->condition, held));
  }
  return any;
}

static void check_not_held (const sync *s, term held) {
  walk_misuse (s->w, held);
  walk_doubt (s->w, held, "a lock that is held is initialised");
}

static void mutex_init (const sync *s, bool spin) {
  uint32_t owner_at = spin ? IR_SPIN_OWNER : IR_MUTEX_OWNER;
  check_not_held (s, is_held (s, spin ? LOCK_SPIN : LOCK_MUTEX));
  term truth = s->p->truth;
  if (!spin) {
    set_word (s, IR_MUTEX_STATE, number (s, 0), truth);
    set_word (s, IR_MUTEX_COUNT, number (s, 0), truth);
    set_word (s, IR_MUTEX_KIND (s->w->program), term_resize (s->p, walk_arg (s->w, 1), 32), truth);
  }
  set_holder (s, owner_at, number (s, 0), truth);
}

static void destroy (const sync *s, uint32_t state_at, term condition) {
  set_word (s, state_at, number (s, IR_DESTROYED), condition);
  for (uint32_t k = 0; k < s->at.list.count; k++) sharing_mark_destroyed (s->w->sharing, s->at.list.data[k].object);
}

static void lock_destroy (const sync *s, uint32_t owner_at, uint32_t readers_at) {
  term held = not(s, is_zero (s, word (s, owner_at)));
  if (readers_at) held = either (s, held, not(s, is_zero (s, word (s, readers_at))));
  walk_misuse (s->w, held);
  if (!walk_alive (s->w)) return;
  destroy (s, 0, not(s, held));
  result (s, pick (s, held, number (s, E_BUSY), number (s, 0)));
}

// ---- reader-writer locks ------------------------------------------------------------------------------------------
typedef struct rwlock {
  term reading, writing, writer, readers;
} rwlock;

static rwlock look_at_rwlock (const sync *s) {
  rwlock r = {
      .reading = holds (s, HOLDS_READING), .writer = word (s, IR_RW_WRITER), .readers = word (s, IR_RW_READERS)};
  r.writing = not(s, is_zero (s, holds (s, 0)));
  return r;
}

static void start_reading (const sync *s, const rwlock *r, term condition) {
  set_holder (s, IR_RW_READERS, term_add (s->p, r->readers, number (s, 1)), condition);
  set_holds (s, HOLDS_READING, term_add (s->p, r->reading, number (s, 1)), condition);
}

static void start_writing (const sync *s, term condition) {
  set_holder (s, IR_RW_WRITER, s->self, condition);
  set_holds (s, 0, number (s, 1), condition);
}

static void rw_lock (const sync *s, bool write) {
  rwlock r = look_at_rwlock (s);
  term free = both (s, is_zero (s, r.writer), write ? is_zero (s, r.readers) : s->p->truth);
  waiting by_readers = {r.writer, is_zero (s, r.writer), NOT_TOLD, IR_NONE};
  walk_block (s->w, either (s, r.writing, free), by_readers);
  term taken = not(s, r.writing);
  if (write) start_writing (s, taken);
  else start_reading (s, &r, taken);
  result (s, pick (s, taken, number (s, 0), number (s, E_DEADLK)));
}

static void rw_try (const sync *s, bool write, uint64_t otherwise) {
  rwlock r = look_at_rwlock (s);
  term free = both (s, is_zero (s, r.writer), write ? is_zero (s, r.readers) : s->p->truth);
  if (write) start_writing (s, free);
  else start_reading (s, &r, free);
  term refused = number (s, otherwise);
  if (otherwise == E_TIMEDOUT) refused = pick (s, r.writing, number (s, E_DEADLK), refused);
  result (s, pick (s, free, number (s, 0), refused));
}

static void rw_unlock (const sync *s) {
  rwlock r = look_at_rwlock (s);
  term reads = both (s, not(s, r.writing), not(s, is_zero (s, r.reading))), held = either (s, r.writing, reads);
  walk_misuse (s->w, not(s, held));
  if (!walk_alive (s->w)) return;
  set_holder (s, IR_RW_WRITER, number (s, 0), r.writing);
  set_holder (s, IR_RW_READERS, term_sub (s->p, r.readers, number (s, 1)), reads);
  set_holds (s, 0, number (s, 0), r.writing);
  set_holds (s, HOLDS_READING, term_sub (s->p, r.reading, number (s, 1)), reads);
  result (s, pick (s, held, number (s, 0), number (s, E_PERM)));
}

static void rw_init (const sync *s) {
  check_not_held (s, is_held (s, LOCK_RW));
  set_word (s, IR_RW_STATE, number (s, 0), s->p->truth);
  set_holder (s, IR_RW_READERS, number (s, 0), s->p->truth);
  set_holder (s, IR_RW_WRITER, number (s, 0), s->p->truth);
}

// ---- condition variables, barriers: who waits at what ------------------------------------------------------------------
static term waits_at (walk *w, uint32_t thread) {
  unsigned bits = w->program->pointer_bits;
  cells c = ram_cell_read (w, thread_waiting (w, thread), walk_number (w, 32, 0), bits / 8, w->terms->truth);
  return c.value;
}

static void set_waits_at (walk *w, uint32_t thread, term address, term condition) {
  unsigned bits = w->program->pointer_bits;
  ram_cell_write (w, thread_waiting (w, thread), walk_number (w, 32, 0), bits / 8,
                  cells_defined (w->terms, address, bits / 8), condition);
}

static term nowhere (walk *w) { return walk_number (w, w->program->pointer_bits, 0); }

// A spurious wake-up is chosen when the wait begins.
static term waits_for_signal (const sync *s) {
  if (!s->w->options->semantics->spurious_wakeups) return s->p->truth;
  return is_zero (s, walk_choice (s->w, 1, s->p->truth));
}

static void cond_wait (sync *s) {
  walk *w = s->w;
  targets cond = s->at;
  s->at = (targets){0};
  ram_check (w, walk_arg (w, 1), (access_kind){.bytes = 4, .write = true}, &s->at);
  if (walk_alive (w)) {
    mutex m = look_at_mutex (s, false);
    walk_misuse (w, not(s, m.mine));
    set_holder (s, IR_MUTEX_OWNER, number (s, 0), m.mine);
    set_holds (s, 0, number (s, 0), m.mine);
    set_waits_at (w, w->thread, s->address, waits_for_signal (s));
    sharing_mark_waiter (w->sharing, w->thread);
  }
  targets_release (&s->at);
  s->at = cond;
}

static void cond_resume (sync *s, bool timed) {
  walk *w = s->w;
  ram_check (w, walk_arg (w, 1), (access_kind){.bytes = 4, .write = true}, &s->at);
  if (!walk_alive (w)) return;
  mutex m = look_at_mutex (s, false);
  read_owner (s, &m);
  term waits = not(s, term_eq (s->p, waits_at (w, w->thread), nowhere (w)));
  waiting who = {m.owner, timed ? s->p->falsity : waits, WAKES_COND, IR_NONE};
  walk_block (w, both (s, m.free, timed ? s->p->truth : not(s, waits)), who);
  set_waits_at (w, w->thread, nowhere (w), timed ? waits : s->p->falsity);
  take (s, &m, s->p->truth);
  result (s, timed ? pick (s, waits, number (s, E_TIMEDOUT), number (s, 0)) : number (s, 0));
}

static void wake_all (sync *s, term condition) {
  walk *w = s->w;
  for (uint32_t t = 0; t < MOST_UNWOUND_THREADS; t++) {
    if (t == w->thread || !(w->sharing->waiters >> t & 1)) continue;
    term here = both (s, condition, term_eq (s->p, waits_at (w, t), s->address));
    set_waits_at (w, t, nowhere (w), here);
  }
}

// One of those who wait, any of them: chosen by its number.
static void cond_signal (sync *s) {
  walk *w = s->w;
  term any = s->p->falsity, several = s->p->falsity, woken = s->p->falsity, chosen = TERM_NONE;
  for (uint32_t t = 0; t < MOST_UNWOUND_THREADS; t++) {
    if (t == w->thread || !(w->sharing->waiters >> t & 1)) continue;
    if (chosen.i == TERM_NONE.i) chosen = walk_choice (w, 8, s->p->falsity);
    term here = term_eq (s->p, waits_at (w, t), s->address),
         it = both (s, here, term_eq (s->p, chosen, walk_number (w, 8, t)));
    several = either (s, several, both (s, any, here));
    any = either (s, any, here);
    woken = either (s, woken, it);
    set_waits_at (w, t, nowhere (w), it);
  }
  if (chosen.i == TERM_NONE.i) return;
  walk_out (w)->steps.data[w->step].chooses = several;
  vec_push (&w->out->facts, term_implies (s->p, both (s, w->now->guard, any), woken));
}

// Initialising or destroying a condition variable or barrier is misuse while a thread waits at it.
static void ask_for_waiters (const sync *s) {
  walk *w = s->w;
  for (uint32_t t = 0; t < MOST_UNWOUND_THREADS && walk_alive (w); t++)
    if (t != w->thread && (w->sharing->waiters >> t & 1)) walk_misuse (w, term_eq (s->p, waits_at (w, t), s->address));
}

static void barrier_arrive (sync *s) {
  walk *w = s->w;
  term count = word (s, IR_BARRIER_COUNT), arrived = term_add (s->p, word (s, IR_BARRIER_ARRIVED), number (s, 1));
  term none = is_zero (s, count);
  walk_misuse (w, none);
  term some = not(s, none), last = both (s, some, term_eq (s->p, arrived, count));
  set_word (s, IR_BARRIER_ARRIVED, pick (s, last, number (s, 0), arrived), some);
  wake_all (s, last);
  set_waits_at (w, w->thread, s->address, both (s, some, not(s, last)));
  sharing_mark_waiter (w->sharing, w->thread);
  result (s, pick (s, none, number (s, E_INVAL), pick (s, last, number (s, 0xFFFFFFFF), number (s, 0))));
}

static void barrier_resume (sync *s) {
  walk *w = s->w;
  walk_block (w, term_eq (s->p, waits_at (w, w->thread), nowhere (w)), for_anybody (s, WAKES_BARRIER));
}

static void barrier_init (const sync *s) {
  ask_for_waiters (s);
  if (!walk_alive (s->w)) return;
  set_word (s, IR_BARRIER_COUNT, term_resize (s->p, walk_arg (s->w, 1), 32), s->p->truth);
  set_word (s, IR_BARRIER_ARRIVED, number (s, 0), s->p->truth);
  set_word (s, IR_BARRIER_STATE, number (s, 0), s->p->truth);
}

static void cond_init (const sync *s) {
  ask_for_waiters (s);
  if (walk_alive (s->w)) set_word (s, IR_COND_STATE, number (s, 0), s->p->truth);
}

static void plain_destroy (const sync *s, uint32_t state_at) {
  destroy (s, state_at, s->p->truth);
  result (s, number (s, 0));
}

static void waited_at_destroy (const sync *s, uint32_t state_at) {
  ask_for_waiters (s);
  if (walk_alive (s->w)) plain_destroy (s, state_at);
}

// ---- semaphores, once ---------------------------------------------------------------------------------------------
static void sem_take (const sync *s, bool may_block, uint64_t otherwise) {
  term value = word (s, IR_SEM_VALUE), can = not(s, is_zero (s, value));
  if (may_block) walk_block (s->w, can, for_anybody (s, WAKES_SEM));
  set_word (s, IR_SEM_VALUE, term_sub (s->p, value, number (s, 1)), may_block ? s->p->truth : can);
  result (s, may_block ? number (s, 0) : pick (s, can, number (s, 0), number (s, otherwise)));
}

static void once_begin (const sync *s) {
  term state = word (s, IR_ONCE_STATE), first = is_zero (s, state);
  walk_block (s->w, not(s, term_eq (s->p, state, number (s, 1))), for_anybody (s, NOT_TOLD));
  set_word (s, IR_ONCE_STATE, number (s, 1), first);
  result (s, pick (s, first, number (s, 1), number (s, 0)));
}

// ---- all of them ----------------------------------------------------------------------------------------------------
static void execute (sync *s) {
  switch (s->d->op) {
  case IR_MUTEX_INIT: mutex_init (s, false); break;
  case IR_MUTEX_LOCK: mutex_lock (s, false); break;
  case IR_MUTEX_TRYLOCK: mutex_try (s, false, E_BUSY); break;
  case IR_MUTEX_TIMEDLOCK: mutex_try (s, false, E_TIMEDOUT); break;
  case IR_MUTEX_UNLOCK: mutex_unlock (s, false); break;
  case IR_MUTEX_DESTROY: lock_destroy (s, IR_MUTEX_OWNER, 0); break;
  case IR_SPIN_INIT: mutex_init (s, true); break;
  case IR_SPIN_LOCK: mutex_lock (s, true); break;
  case IR_SPIN_TRYLOCK: mutex_try (s, true, E_BUSY); break;
  case IR_SPIN_UNLOCK: mutex_unlock (s, true); break;
  case IR_SPIN_DESTROY: lock_destroy (s, IR_SPIN_OWNER, 0); break;
  case IR_RW_INIT: rw_init (s); break;
  case IR_RW_RDLOCK: rw_lock (s, false); break;
  case IR_RW_WRLOCK: rw_lock (s, true); break;
  case IR_RW_TRYRDLOCK: rw_try (s, false, E_BUSY); break;
  case IR_RW_TRYWRLOCK: rw_try (s, true, E_BUSY); break;
  case IR_RW_TIMEDRDLOCK: rw_try (s, false, E_TIMEDOUT); break;
  case IR_RW_TIMEDWRLOCK: rw_try (s, true, E_TIMEDOUT); break;
  case IR_RW_UNLOCK: rw_unlock (s); break;
  case IR_RW_DESTROY: lock_destroy (s, IR_RW_WRITER, IR_RW_READERS); break;
  case IR_COND_INIT: cond_init (s); break;
  case IR_COND_WAIT: cond_wait (s); break;
  case IR_COND_SIGNAL: cond_signal (s); break;
  case IR_COND_BROADCAST: wake_all (s, s->p->truth); break;
  case IR_COND_DESTROY: waited_at_destroy (s, IR_COND_STATE); break;
  case IR_SEM_INIT:
    set_word (s, IR_SEM_VALUE, term_resize (s->p, walk_arg (s->w, 1), 32), s->p->truth);
    set_word (s, IR_SEM_STATE, number (s, 0), s->p->truth);
    break;
  case IR_SEM_WAIT: sem_take (s, true, 0); break;
  case IR_SEM_TRYWAIT: sem_take (s, false, E_AGAIN); break;
  case IR_SEM_TIMEDWAIT: sem_take (s, false, E_TIMEDOUT); break;
  case IR_SEM_POST:
    set_word (s, IR_SEM_VALUE, term_add (s->p, word (s, IR_SEM_VALUE), number (s, 1)), s->p->truth);
    result (s, number (s, 0));
    break;
  case IR_SEM_GETVALUE: result (s, word (s, IR_SEM_VALUE)); break;
  case IR_SEM_DESTROY: plain_destroy (s, IR_SEM_STATE); break;
  case IR_BARRIER_INIT: barrier_init (s); break;
  case IR_BARRIER_ARRIVE: barrier_arrive (s); break;
  case IR_BARRIER_DESTROY: waited_at_destroy (s, IR_BARRIER_STATE); break;
  case IR_ONCE_BEGIN: once_begin (s); break;
  default: set_word (s, IR_ONCE_STATE, number (s, 2), s->p->truth); break;
  }
}

static bool is_init (ir_op op) {
  return op == IR_MUTEX_INIT || op == IR_SPIN_INIT || op == IR_RW_INIT || op == IR_COND_INIT || op == IR_SEM_INIT ||
         op == IR_BARRIER_INIT;
}

static bool is_lock (ir_op op) {
  return (op >= IR_MUTEX_INIT && op <= IR_MUTEX_DESTROY) || (op >= IR_SPIN_INIT && op <= IR_SPIN_DESTROY) ||
         (op >= IR_RW_INIT && op <= IR_RW_DESTROY);
}

static lock_kind kind_of_lock (ir_op op) {
  if (op >= IR_RW_INIT && op <= IR_RW_DESTROY) return LOCK_RW;
  return op >= IR_SPIN_INIT && op <= IR_SPIN_DESTROY ? LOCK_SPIN : LOCK_MUTEX;
}

static uint32_t state_word (ir_op op) {
  if (op >= IR_SEM_INIT && op <= IR_SEM_DESTROY) return IR_SEM_STATE;
  return op >= IR_BARRIER_INIT && op <= IR_BARRIER_DESTROY ? IR_BARRIER_STATE : 0;
}

// What is used before it is initialised, or after it was destroyed.
static void check_state (sync *s) {
  walk *w = s->w;
  term wrong = s->p->falsity;
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    walk_object_kind kind = w->objects.data[t->object].kind;
    targets one = {0};
    vec_push (&one.list, *t);
    if (kind == MADE_STACK || kind == MADE_HEAP) {
      cells c = ram_read (w, &one, 0, 4);
      wrong = either (s, wrong, both (s, t->condition, term_eq (s->p, c.undefined, walk_number (w, 4, 15))));
    }
    sharing_mark_synchronises (w->sharing, t->object);
    if (sharing_destroyed (w->sharing, t->object) && s->d->op != IR_ONCE_BEGIN && s->d->op != IR_ONCE_END) {
      term state = ram_read (w, &one, state_word (s->d->op), 4).value;
      wrong = either (s, wrong, both (s, t->condition, term_eq (s->p, state, number (s, IR_DESTROYED))));
    }
    targets_release (&one);
  }
  walk_misuse (w, wrong);
  walk_doubt (w, wrong, "a synchronisation object is used that is not initialised");
}

void sync_execute (walk *w) {
  sync s = {.w = w, .p = w->terms, .d = &w->program->edges.data[w->edge.i], .self = walk_number (w, 32, w->thread + 1)};
  s.address = walk_arg (w, 0);
  if (s.d->op == IR_COND_RESUME || s.d->op == IR_COND_TIMEDRESUME) cond_resume (&s, s.d->op == IR_COND_TIMEDRESUME);
  else if (s.d->op == IR_BARRIER_RESUME) barrier_resume (&s);
  else {
    ram_check (w, s.address, (access_kind){.bytes = 4, .write = s.d->op != IR_SEM_GETVALUE}, &s.at);
    if (walk_alive (w) && !is_init (s.d->op)) check_state (&s);
    if (is_lock (s.d->op)) shadow_note_locks (w, &s.at, kind_of_lock (s.d->op));
    if (walk_alive (w)) execute (&s);
  }
  targets_release (&s.at);
}
