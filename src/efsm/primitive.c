// Synchronisation as one step on the words of its object (docs/formats/ir.md says which): the step is possible when the operation is enabled, and
// who is not enabled stays where it is.
#include "analysis/wakers.h"
#include "efsm/build_impl.h"

enum { E_PERM = 1, E_AGAIN = 11, E_BUSY = 16, E_INVAL = 22, E_DEADLK = 35, E_TIMEDOUT = 110 };

typedef struct sync {
  build *b;
  term_pool *p;
  const ir_edge_data *d;
  targets at;          // the object, good for an access
  term address, self;  // self: thread + 1, as the words have it
} sync;

// ---- words -----------------------------------------------------------------------------------------------------------------
static term number (const sync *s, uint64_t value) { return build_number (s->b, 32, value); }
static term word (const sync *s, uint32_t at) { return store_read (s->b, &s->at, at, 4).value; }
static void set_word (const sync *s, uint32_t at, term value, term condition) {
  store_write (s->b, &s->at, at, 4, store_defined (s->b, value, 4), condition);
}
static term is (const sync *s, term x, uint64_t value) {
  return term_eq (s->p, x, build_number (s->b, term_bits (s->p, x), value));
}
static term both (const sync *s, term a, term b) { return term_and (s->p, a, b); }
static term either (const sync *s, term a, term b) { return term_or (s->p, a, b); }
static term negated (const sync *s, term a) { return term_not (s->p, a); }
static term pick (const sync *s, term c, term a, term b) { return term_ite (s->p, c, a, b); }
static term plus (const sync *s, term a, int64_t n) { return term_add (s->p, a, number (s, (uint32_t) n)); }
static void give (const sync *s, term value) { build_result (s->b, value); }

// ---- which lock it is, where that is a constant (MTX) ------------------------------------------------------------------------
static uint32_t lock_number (const sync *s) {
  learnt *f = s->b->facts;
  if (!term_is_const (s->p, s->address)) return 0;
  bool is_new;
  uint64_t n = *map_insert (&f->locks, (uint64_t) term_value (s->p, s->address), f->locks.entries.count, &is_new);
  f->grew |= is_new;
  return (uint32_t) n;
}

static uint64_t lock_bit (const sync *s) {
  if (!term_is_const (s->p, s->address)) return 0;
  uint32_t n = lock_number (s);
  if (n < 64 && s->b->m->num_locks <= n) s->b->m->num_locks = n + 1;
  return n < 64 ? (uint64_t) 1 << n : 0;
}

static void surely_takes (const sync *s) { s->b->m->points.data[s->b->point].acquires |= lock_bit (s); }
// Whatever it may be: a lock that is not a constant may be any.
static void may_release (const sync *s) {
  uint64_t bit = lock_bit (s);
  s->b->m->points.data[s->b->point].releases |= bit ? bit : UINT64_MAX;
}

static void observes (const sync *s) {
  uint64_t bit = lock_bit (s);
  s->b->m->observed |= bit ? bit : UINT64_MAX;
}

// ---- plain accesses of the words of a lock -----------------------------------------------------------------------------------
// The lock whose owner this word names: the nearest that begins before it.
static uint64_t lock_of_word (build *b, uint32_t object, uint32_t word) {
  const map *locks = &b->facts->locks;
  uint64_t start = (uint64_t) term_value (b->terms, pointers_to (&b->facts->pointers, object, 0)), nearest = 0;
  uint64_t bit = UINT64_MAX;
  for (uint32_t k = 0; k < locks->entries.count; k++) {
    uint64_t lock = locks->entries.data[k].key, number = locks->entries.data[k].value;
    if (lock < start || lock > start + word || lock < nearest) continue;
    nearest = lock;
    bit = number < 64 ? (uint64_t) 1 << number : 0;
  }
  return bit;
}

static bool reaches_word (build *b, const target *t, uint32_t bytes, uint32_t word) {
  for (uint32_t n = 0, place; (place = store_places (b, t, bytes, n)) != IR_NONE; n++)
    if (place < word + 4 && word < place + bytes) return true;
  return false;
}

void primitive_note_access (build *b, const targets *at, uint32_t bytes, bool write) {
  for (uint32_t k = 0; k < at->list.count; k++)
    for (uint32_t o = 0; o < b->facts->owners.entries.count; o++) {
      uint64_t key = b->facts->owners.entries.data[o].key;
      if (at->list.data[k].object != key >> 32 || !reaches_word (b, &at->list.data[k], bytes, (uint32_t) key)) continue;
      uint64_t bit = lock_of_word (b, (uint32_t) (key >> 32), (uint32_t) key);
      b->m->observed |= bit;
      b->m->data |= bit;
      if (write) b->m->points.data[b->point].releases |= bit;
    }
}

// ---- mutexes and spin locks ------------------------------------------------------------------------------------------------
typedef struct mutex {
  uint32_t owner_at, count_at;
  term owner, mine, free, recursive, checking;
  bool spin;
} mutex;

static void note_owner_word (const sync *s, uint32_t owner_at) {
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    for (uint32_t n = 0, place; (place = store_places (s->b, t, owner_at + 4, n)) != IR_NONE; n++) {
      bool is_new;
      map_insert (&s->b->facts->owners, (uint64_t) t->object << 32 | (place + owner_at), 0, &is_new);
      s->b->facts->grew |= is_new;
    }
  }
}

static mutex look_at (const sync *s, bool spin) {
  mutex m = {.spin = spin, .owner_at = spin ? IR_SPIN_OWNER : IR_MUTEX_OWNER, .count_at = IR_MUTEX_COUNT};
  term kind = spin ? number (s, IR_MUTEX_NORMAL) : word (s, IR_MUTEX_KIND (s->b->program));
  note_owner_word (s, m.owner_at);
  m.owner = word (s, m.owner_at);
  m.mine = term_eq (s->p, m.owner, s->self);
  m.free = is (s, m.owner, 0);
  m.recursive = is (s, kind, IR_MUTEX_RECURSIVE);
  m.checking = is (s, kind, IR_MUTEX_ERRORCHECK);
  return m;
}

static void take (const sync *s, const mutex *m, term condition) {
  set_word (s, m->owner_at, s->self, both (s, condition, m->free));
  if (m->spin) return;
  term count = pick (s, m->free, number (s, 1), plus (s, word (s, m->count_at), 1));
  set_word (s, m->count_at, count, both (s, condition, either (s, m->free, both (s, m->mine, m->recursive))));
}

static waits_for for_owner (const sync *s, term owner) { return (waits_for){owner, s->p->falsity, 0, IR_NONE}; }
static waits_for for_anybody (const sync *s, uint8_t by) {
  return (waits_for){number (s, 0), s->p->truth, by, IR_NONE};
}

static void lock (const sync *s, bool spin) {
  mutex m = look_at (s, spin);
  term relock = both (s, m.mine, negated (s, either (s, m.recursive, m.checking)));
  build_note_wait (s->b, negated (s, relock), for_owner (s, s->self));
  build_goal (s->b, IR_P_LOCKS, relock);
  build_waits (s->b, either (s, m.free, m.mine), for_owner (s, m.owner));
  take (s, &m, s->p->truth);
  surely_takes (s);
  s->b->m->points.data[s->b->point].moves_right = !s->b->region;
  give (s, pick (s, both (s, m.mine, m.checking), number (s, E_DEADLK), number (s, 0)));
}

static void try_lock (const sync *s, bool spin, uint64_t otherwise) {
  mutex m = look_at (s, spin);
  term can = pick (s, m.mine, m.recursive, m.free), refused = number (s, otherwise);
  observes (s);
  take (s, &m, can);
  if (otherwise == E_TIMEDOUT) refused = pick (s, both (s, m.mine, m.checking), number (s, E_DEADLK), refused);
  give (s, pick (s, can, number (s, 0), refused));
}

static void unlock (const sync *s, bool spin) {
  mutex m = look_at (s, spin);
  term foreign = negated (s, m.mine), takes_away = both (s, foreign, negated (s, either (s, m.recursive, m.checking)));
  build_misuse (s->b, foreign);
  term count = spin ? number (s, 1) : word (s, m.count_at);
  term last = both (s, m.mine, either (s, negated (s, m.recursive), is (s, count, 1)));
  set_word (s, m.owner_at, number (s, 0), either (s, last, takes_away));
  if (!spin) set_word (s, m.count_at, pick (s, last, number (s, 0), plus (s, count, -1)), m.mine);
  may_release (s);
  s->b->m->points.data[s->b->point].moves_left = !s->b->region;
  give (s, pick (s, either (s, m.mine, takes_away), number (s, 0), number (s, E_PERM)));
}

static void init_lock (const sync *s, term held, const uint32_t *words, uint32_t count) {
  build_misuse (s->b, held);
  observes (s);
  for (uint32_t k = 0; k < count; k++) set_word (s, words[k], number (s, 0), s->p->truth);
  may_release (s);
}

// Of memory that has not been written nothing is held, whatever its bytes are.
static term holds_something (const sync *s, uint32_t at) {
  cells c = store_read (s->b, &s->at, at, 4);
  return both (s, negated (s, is (s, c.value, 0)), is (s, c.undefined, 0));
}

static void mutex_init (const sync *s) {
  static const uint32_t words[] = {IR_MUTEX_STATE, IR_MUTEX_COUNT, IR_MUTEX_OWNER};
  init_lock (s, holds_something (s, IR_MUTEX_OWNER), words, 3);
  set_word (s, IR_MUTEX_KIND (s->b->program), term_resize (s->p, build_arg (s->b, 1), 32), s->p->truth);
}

static void destroy (const sync *s, uint32_t state_at, term held) {
  build_misuse (s->b, held);
  set_word (s, state_at, number (s, IR_DESTROYED), negated (s, held));
  may_release (s);
  observes (s);
  give (s, pick (s, held, number (s, E_BUSY), number (s, 0)));
}

// ---- reader-writer locks -----------------------------------------------------------------------------------------------------
typedef struct rwlock {
  term reads, writes, writer, readers;
  uint32_t number;  // of the lock
  uint32_t notes;
} rwlock;

// How often a thread reads, which the words do not say.
static uint32_t reads_of (build *b, uint32_t lock) {
  return build_variable (b, V_READS, b->thread, lock, 32, b->thread, build_number (b, 32, 0));
}

// The end of the thread may be built before its locks are.
static void note_reader (build *b, uint32_t lock) {
  bool is_new;
  map_insert (&b->facts->readers, (uint64_t) b->thread << 32 | lock, 0, &is_new);
  b->facts->grew |= is_new;
}

// What is written into this word as of data may be a copy of a lock that threads hold.
static void note_counted (const sync *s, uint32_t word) {
  bool is_new;
  map_insert (&s->b->facts->counted, term_value (s->p, s->address) + word, 0, &is_new);
  s->b->facts->grew |= is_new;
}

// Only of a lock whose address is a constant.
static rwlock look_at_rw (const sync *s) {
  rwlock r = {.writer = word (s, IR_RW_WRITER), .readers = word (s, IR_RW_READERS)};
  note_owner_word (s, IR_RW_WRITER);
  if (!term_is_const (s->p, s->address)) build_doubt (s->b, s->p->truth, "which rwlock it is depends on a pointer");
  observes (s);
  r.number = lock_number (s);
  note_reader (s->b, r.number);
  if (term_is_const (s->p, s->address)) note_counted (s, IR_RW_READERS);
  r.notes = reads_of (s->b, r.number);
  r.reads = build_get (s->b, r.notes);
  r.writes = term_eq (s->p, r.writer, s->self);
  return r;
}

static void start_reading (const sync *s, const rwlock *r, term condition) {
  set_word (s, IR_RW_READERS, plus (s, r->readers, 1), condition);
  build_put (s->b, r->notes, plus (s, r->reads, 1), condition);
}

static term rw_free (const sync *s, const rwlock *r, bool write) {
  return both (s, is (s, r->writer, 0), write ? is (s, r->readers, 0) : s->p->truth);
}

static void rw_lock (const sync *s, bool write) {
  rwlock r = look_at_rw (s);
  build_waits (s->b, either (s, r.writes, rw_free (s, &r, write)), (waits_for){r.writer, s->p->falsity, 0, r.number});
  term taken = negated (s, r.writes);
  if (write) set_word (s, IR_RW_WRITER, s->self, taken);
  else start_reading (s, &r, taken);
  if (write) surely_takes (s);
  give (s, pick (s, taken, number (s, 0), number (s, E_DEADLK)));
}

static void rw_try (const sync *s, bool write, uint64_t otherwise) {
  rwlock r = look_at_rw (s);
  term can = rw_free (s, &r, write), refused = number (s, otherwise);
  if (write) set_word (s, IR_RW_WRITER, s->self, can);
  else start_reading (s, &r, can);
  if (otherwise == E_TIMEDOUT) refused = pick (s, r.writes, number (s, E_DEADLK), refused);
  give (s, pick (s, can, number (s, 0), refused));
}

static void rw_unlock (const sync *s) {
  rwlock r = look_at_rw (s);
  term reading = both (s, negated (s, r.writes), negated (s, is (s, r.reads, 0))), held = either (s, r.writes, reading);
  build_misuse (s->b, negated (s, held));
  set_word (s, IR_RW_WRITER, number (s, 0), r.writes);
  set_word (s, IR_RW_READERS, plus (s, r.readers, -1), reading);
  build_put (s->b, r.notes, plus (s, r.reads, -1), reading);
  may_release (s);
  give (s, pick (s, held, number (s, 0), number (s, E_PERM)));
}

static void rw_init (const sync *s) {
  static const uint32_t words[] = {IR_RW_STATE, IR_RW_READERS, IR_RW_WRITER};
  init_lock (s, either (s, holds_something (s, IR_RW_WRITER), holds_something (s, IR_RW_READERS)), words, 3);
}

// ---- condition variables, barriers -------------------------------------------------------------------------------------------
static term nowhere (const sync *s) { return build_number (s->b, s->b->program->pointer_bits, 0); }

static void look_at_mutex_argument (sync *s) {
  pointers_release_targets (&s->at);
  s->at = (targets){0};
  s->address = build_arg (s->b, 1);
  store_check (s->b, s->address, (access_kind){.bytes = 4, .write = true}, &s->at);
}

// A spurious wake-up is chosen when the wait begins.
static term waits_for_signal (const sync *s) {
  return s->b->facts->options->spurious_wakeups ? is (s, build_choice (s->b, 1, s->p->truth), 0) : s->p->truth;
}

static void cond_wait (sync *s) {
  term condition = s->address;
  look_at_mutex_argument (s);
  mutex m = look_at (s, false);
  build_misuse (s->b, negated (s, m.mine));
  set_word (s, IR_MUTEX_OWNER, number (s, 0), m.mine);
  set_word (s, IR_MUTEX_COUNT, number (s, 0), m.mine);
  may_release (s);
  life_set_waits (s->b, s->b->thread, condition, waits_for_signal (s));
}

static void cond_resume (sync *s, bool timed) {
  build *b = s->b;
  look_at_mutex_argument (s);
  mutex m = look_at (s, false);
  term waits = negated (s, term_eq (s->p, life_waits (b, b->thread), nowhere (s)));
  build_waits (b, both (s, m.free, timed ? s->p->truth : negated (s, waits)),
               (waits_for){m.owner, timed ? s->p->falsity : waits, WAKES_COND, IR_NONE});
  life_set_waits (b, b->thread, nowhere (s), timed ? waits : s->p->falsity);
  take (s, &m, s->p->truth);
  surely_takes (s);
  give (s, timed ? pick (s, waits, number (s, E_TIMEDOUT), number (s, 0)) : number (s, 0));
}

static void wake_all (const sync *s, term condition) {
  for (uint32_t t = 0; t < s->b->facts->threads.count; t++) {
    if (t == s->b->thread) continue;
    term here = term_eq (s->p, life_waits (s->b, t), s->address);
    life_set_waits (s->b, t, nowhere (s), both (s, condition, here));
  }
}

// Any of those who wait, or one of whom nothing is known.
static void signal_in_crowd (const sync *s) {
  term chosen = crowd_choice_of_threads (s->b, 0);
  for (uint32_t t = 0; t < s->b->facts->threads.count; t++) {
    if (t == s->b->thread) continue;
    term here = term_eq (s->p, life_waits (s->b, t), s->address);
    life_set_waits (s->b, t, nowhere (s), both (s, here, term_extract (s->p, chosen, t, 1)));
  }
}

// One of those who wait, any of them: chosen by its number.
static void cond_signal (const sync *s) {
  build *b = s->b;
  if (crowd_is_wanted (b)) {
    signal_in_crowd (s);
    return;
  }
  term any = s->p->falsity, several = s->p->falsity, woken = s->p->falsity, chosen = TERM_NONE;
  for (uint32_t t = 0; t < b->facts->threads.count; t++) {
    if (t == b->thread) continue;
    if (chosen.i == TERM_NONE.i) chosen = build_choice (b, 8, s->p->falsity);
    term here = term_eq (s->p, life_waits (b, t), s->address), it = both (s, here, is (s, chosen, t));
    several = either (s, several, both (s, any, here));
    any = either (s, any, here);
    woken = either (s, woken, it);
    life_set_waits (b, t, nowhere (s), it);
  }
  if (chosen.i == TERM_NONE.i) return;
  vec_last (&b->m->points.data[b->point].steps).chooses = several;
  build_require (b, term_implies (s->p, any, woken));
}

// Initialising or destroying a condition variable or barrier is misuse while a thread waits at it.
static void ask_for_waiters (const sync *s) {
  for (uint32_t t = 0; t < s->b->facts->threads.count; t++)
    if (t != s->b->thread) build_misuse (s->b, term_eq (s->p, life_waits (s->b, t), s->address));
}

static void cond_init (const sync *s) {
  ask_for_waiters (s);
  set_word (s, IR_COND_STATE, number (s, 0), s->p->truth);
}

static void cond_destroy (const sync *s) {
  ask_for_waiters (s);
  set_word (s, IR_COND_STATE, number (s, IR_DESTROYED), s->p->truth);
  give (s, number (s, 0));
}

static void barrier_arrive (const sync *s) {
  build *b = s->b;
  term count = word (s, IR_BARRIER_COUNT), arrived = plus (s, word (s, IR_BARRIER_ARRIVED), 1);
  term none = is (s, count, 0), some = negated (s, none), last = both (s, some, term_eq (s->p, arrived, count));
  build_misuse (b, none);
  set_word (s, IR_BARRIER_ARRIVED, pick (s, last, number (s, 0), arrived), some);
  wake_all (s, last);
  life_set_waits (b, b->thread, s->address, both (s, some, negated (s, last)));
  give (s, pick (s, none, number (s, E_INVAL), pick (s, last, number (s, UINT32_MAX), number (s, 0))));
}

// ---- semaphores, once ----------------------------------------------------------------------------------------------------------
static void sem_take (const sync *s, bool may_block, uint64_t otherwise) {
  term value = word (s, IR_SEM_VALUE), can = negated (s, is (s, value, 0));
  if (may_block) build_waits (s->b, can, for_anybody (s, WAKES_SEM));
  set_word (s, IR_SEM_VALUE, plus (s, value, -1), may_block ? s->p->truth : can);
  give (s, may_block ? number (s, 0) : pick (s, can, number (s, 0), number (s, otherwise)));
}

static void sem_post (const sync *s) {
  set_word (s, IR_SEM_VALUE, plus (s, word (s, IR_SEM_VALUE), 1), s->p->truth);
  give (s, number (s, 0));
}

static void set_up (const sync *s, uint32_t value_at, uint32_t zero_at, uint32_t state_at) {
  set_word (s, value_at, term_resize (s->p, build_arg (s->b, 1), 32), s->p->truth);
  if (zero_at != value_at) set_word (s, zero_at, number (s, 0), s->p->truth);
  set_word (s, state_at, number (s, 0), s->p->truth);
}

static void barrier_init (const sync *s) {
  ask_for_waiters (s);
  set_up (s, IR_BARRIER_COUNT, IR_BARRIER_ARRIVED, IR_BARRIER_STATE);
}

static void barrier_destroy (const sync *s) {
  ask_for_waiters (s);
  destroy (s, IR_BARRIER_STATE, s->p->falsity);
}

// Who runs it, which its word does not say; it becomes this thread if it is the first.
static term once_runner (const sync *s, term first) {
  if (!build_selected (s->b, IR_P_DEADLOCK)) return number (s, 0);
  if (!term_is_const (s->p, s->address))
    build_doubt (s->b, s->p->truth, "which pthread_once it is depends on a pointer");
  else note_counted (s, IR_ONCE_STATE);
  uint32_t runner = build_variable (s->b, V_RUNNER, lock_number (s), 0, 32, IR_NONE, number (s, 0));
  term before = build_get (s->b, runner);
  build_put (s->b, runner, s->self, first);
  return before;
}

static void once_begin (const sync *s) {
  term state = word (s, IR_ONCE_STATE), first = is (s, state, 0);
  build_waits (s->b, negated (s, is (s, state, 1)), for_owner (s, once_runner (s, first)));
  set_word (s, IR_ONCE_STATE, number (s, 1), first);
  give (s, pick (s, first, number (s, 1), number (s, 0)));
}

// ---- all of them -----------------------------------------------------------------------------------------------------------------
static void execute (sync *s) {
  term truth = s->p->truth, falsity = s->p->falsity;
  switch (s->d->op) {
  case IR_MUTEX_INIT: mutex_init (s); break;
  case IR_MUTEX_LOCK: lock (s, false); break;
  case IR_MUTEX_TRYLOCK: try_lock (s, false, E_BUSY); break;
  case IR_MUTEX_TIMEDLOCK: try_lock (s, false, E_TIMEDOUT); break;
  case IR_MUTEX_UNLOCK: unlock (s, false); break;
  case IR_MUTEX_DESTROY: destroy (s, IR_MUTEX_STATE, negated (s, is (s, word (s, IR_MUTEX_OWNER), 0))); break;
  case IR_SPIN_INIT: init_lock (s, holds_something (s, IR_SPIN_OWNER), (const uint32_t[]){IR_SPIN_OWNER}, 1); break;
  case IR_SPIN_LOCK: lock (s, true); break;
  case IR_SPIN_TRYLOCK: try_lock (s, true, E_BUSY); break;
  case IR_SPIN_UNLOCK: unlock (s, true); break;
  case IR_SPIN_DESTROY: destroy (s, IR_SPIN_OWNER, negated (s, is (s, word (s, IR_SPIN_OWNER), 0))); break;
  case IR_RW_INIT: rw_init (s); break;
  case IR_RW_RDLOCK: rw_lock (s, false); break;
  case IR_RW_WRLOCK: rw_lock (s, true); break;
  case IR_RW_TRYRDLOCK: rw_try (s, false, E_BUSY); break;
  case IR_RW_TRYWRLOCK: rw_try (s, true, E_BUSY); break;
  case IR_RW_TIMEDRDLOCK: rw_try (s, false, E_TIMEDOUT); break;
  case IR_RW_TIMEDWRLOCK: rw_try (s, true, E_TIMEDOUT); break;
  case IR_RW_UNLOCK: rw_unlock (s); break;
  case IR_RW_DESTROY:
    destroy (s, IR_RW_STATE,
             negated (s, both (s, is (s, word (s, IR_RW_WRITER), 0), is (s, word (s, IR_RW_READERS), 0))));
    break;
  case IR_COND_INIT: cond_init (s); break;
  case IR_COND_WAIT: cond_wait (s); break;
  case IR_COND_SIGNAL: cond_signal (s); break;
  case IR_COND_BROADCAST: wake_all (s, truth); break;
  case IR_COND_DESTROY: cond_destroy (s); break;
  case IR_SEM_INIT: set_up (s, IR_SEM_VALUE, IR_SEM_VALUE, IR_SEM_STATE); break;
  case IR_SEM_WAIT: sem_take (s, true, 0); break;
  case IR_SEM_TRYWAIT: sem_take (s, false, E_AGAIN); break;
  case IR_SEM_TIMEDWAIT: sem_take (s, false, E_TIMEDOUT); break;
  case IR_SEM_POST: sem_post (s); break;
  case IR_SEM_GETVALUE: give (s, word (s, IR_SEM_VALUE)); break;
  case IR_SEM_DESTROY: destroy (s, IR_SEM_STATE, falsity); break;
  case IR_BARRIER_INIT: barrier_init (s); break;
  case IR_BARRIER_ARRIVE: barrier_arrive (s); break;
  case IR_BARRIER_DESTROY: barrier_destroy (s); break;
  case IR_ONCE_BEGIN: once_begin (s); break;
  default: set_word (s, IR_ONCE_STATE, number (s, 2), truth); break;
  }
}

static bool is_init (ir_op op) {
  return op == IR_MUTEX_INIT || op == IR_SPIN_INIT || op == IR_RW_INIT || op == IR_COND_INIT || op == IR_SEM_INIT ||
         op == IR_BARRIER_INIT;
}

static uint32_t state_word (ir_op op) {
  if (op >= IR_SEM_INIT && op <= IR_SEM_DESTROY) return IR_SEM_STATE;
  return op >= IR_BARRIER_INIT && op <= IR_BARRIER_DESTROY ? IR_BARRIER_STATE : 0;
}

// What is used before it is initialised, or after it was destroyed.
static void check_state (const sync *s) {
  bool once = s->d->op == IR_ONCE_BEGIN || s->d->op == IR_ONCE_END;
  term wrong = is (s, store_read (s->b, &s->at, 0, 4).undefined, 15);
  if (!once) wrong = either (s, wrong, is (s, word (s, state_word (s->d->op)), IR_DESTROYED));
  build_misuse (s->b, wrong);
  build_doubt (s->b, wrong, "a synchronisation object is used that is not initialised");
}

void primitive_execute (build *b) {
  sync s = {.b = b, .p = b->terms, .d = ir_edge_at (b->program, b->edge), .self = build_number (b, 32, b->thread + 1)};
  s.address = build_arg (b, 0);
  if (s.d->op == IR_COND_RESUME || s.d->op == IR_COND_TIMEDRESUME) cond_resume (&s, s.d->op == IR_COND_TIMEDRESUME);
  else if (s.d->op == IR_BARRIER_RESUME)
    build_waits (b, term_eq (s.p, life_waits (b, b->thread), nowhere (&s)), for_anybody (&s, WAKES_BARRIER));
  else {
    store_check (b, s.address, (access_kind){.bytes = 4, .write = s.d->op != IR_SEM_GETVALUE}, &s.at);
    if (!is_init (s.d->op)) check_state (&s);
    execute (&s);
  }
  pointers_release_targets (&s.at);
}

// ---- at the end of a thread --------------------------------------------------------------------------------------------------------
typedef void owner_visit (build *b, const targets *word, term mine, term *any);

static void for_owners (build *b, owner_visit *visit, term *any) {
  for (uint32_t k = 0; k < b->facts->owners.entries.count; k++) {
    uint64_t key = b->facts->owners.entries.data[k].key;
    const build_object *o = &b->facts->objects.data[key >> 32];
    if ((uint32_t) key + 4 > o->is.bytes || !(o->is.users >> b->thread & 1)) continue;
    targets one = {0};
    vec_push (&one.list, ((target){.condition = b->terms->truth,
                                   .object = (uint32_t) (key >> 32),
                                   .offset = build_number (b, 32, (uint32_t) key)}));
    term mine = term_eq (b->terms, store_read (b, &one, 0, 4).value, build_number (b, 32, b->thread + 1));
    visit (b, &one, mine, any);
    pointers_release_targets (&one);
  }
}

static void note_mine (build *b, const targets *word, term mine, term *any) {
  (void) word;
  *any = term_or (b->terms, *any, mine);
}

static void end_owner (build *b, const targets *word, term mine, term *any) {
  (void) any;
  store_write (b, word, 0, 4, store_defined (b, build_number (b, 32, IR_OWNER_ENDED), 4), mine);
}

void primitive_note_write (build *b, uint32_t bytes, term value) {
  term_pool *p = b->terms;
  unsigned bits = b->program->pointer_bits;
  term first = build_arg (b, 0), some = term_not (p, term_eq (p, value, build_number (b, 8 * bytes, 0)));
  for (uint32_t k = 0; k < b->facts->counted.entries.count; k++) {
    uint64_t word = b->facts->counted.entries.data[k].key;
    term begins = term_ult (p, first, build_number (b, bits, word + 4));
    term ends = term_ult (p, build_number (b, bits, word), term_add (p, first, build_number (b, bits, bytes)));
    term hit = term_and (p, term_and (p, begins, ends), some);
    build_doubt (b, hit, "a copy of an rwlock or pthread_once that may be held");
  }
}

// As owner, or as a reader.
term primitive_holds_any (build *b) {
  term any = b->terms->falsity;
  for_owners (b, note_mine, &any);
  for (uint32_t k = 0; k < b->facts->readers.entries.count; k++) {
    uint64_t key = b->facts->readers.entries.data[k].key;
    if (key >> 32 != b->thread) continue;
    term reads = build_get (b, reads_of (b, (uint32_t) key));
    any = term_or (b->terms, any, term_not (b->terms, term_eq (b->terms, reads, build_number (b, 32, 0))));
  }
  return any;
}

void primitive_end_holding (build *b) { for_owners (b, end_owner, NULL); }
