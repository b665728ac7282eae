// Synchronisation as one step on the words of its object, by the rules of ir/sync.h: the step is possible when the
// operation is enabled; a thread whose operation is not enabled stays where it is.
#include "efsm/build_impl.h"
#include "symbolic/synchronise.h"

static build *builder (const sync_step *s) { return s->x->self; }

// ---- the number of a lock, if its address is a constant (MTX) ---------------------------------------
static uint32_t lock_number (const sync_step *s) {
  build_facts *f = builder (s)->facts;
  if (!term_is_const (s->p, s->address)) return 0;
  bool is_new;
  uint64_t n = *map_insert (&f->locks, (uint64_t) term_value (s->p, s->address), f->locks.entries.count, &is_new);
  f->grew |= is_new;
  return (uint32_t) n;
}

static uint64_t lock_bit (const sync_step *s) {
  if (!term_is_const (s->p, s->address)) return 0;
  uint32_t n = lock_number (s);
  if (n < 64 && builder (s)->m->num_locks <= n) builder (s)->m->num_locks = n + 1;
  return n < 64 ? (uint64_t) 1 << n : 0;
}

static void surely_takes (const sync_step *s) {
  builder (s)->m->points.data[builder (s)->point].acquires |= lock_bit (s);
}
// A lock whose address is not a constant may be any lock.
static void may_release (const sync_step *s) {
  uint64_t bit = lock_bit (s);
  builder (s)->m->points.data[builder (s)->point].releases |= bit ? bit : UINT64_MAX;
}

static void observes (const sync_step *s) {
  uint64_t bit = lock_bit (s);
  builder (s)->m->observed |= bit ? bit : UINT64_MAX;
}

// ---- plain accesses of the words of a lock ----------------------------------------------------------
// The lock whose owner this word names: the closest lock that begins before the word.
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

// ---- facts for other passes -------------------------------------------------------------------------
static void note_owner_word (const sync_step *s, uint32_t owner_at) {
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    for (uint32_t n = 0, place; (place = store_places (builder (s), t, owner_at + 4, n)) != IR_NONE; n++) {
      bool is_new;
      map_insert (&builder (s)->facts->owners, (uint64_t) t->object << 32 | (place + owner_at), 0, &is_new);
      builder (s)->facts->grew |= is_new;
    }
  }
}

// Every operation on an rwlock: its words do not say which threads hold it for reading.
// Number of read holds of a thread.
static uint32_t reads_of (build *b, uint32_t lock) {
  return build_variable (b, V_READS, b->thread, lock, 32, b->thread, build_number (b, 32, 0));
}

// The end of the thread may be built before the operations on its locks.
static void note_reader (build *b, uint32_t lock) {
  bool is_new;
  map_insert (&b->facts->readers, (uint64_t) b->thread << 32 | lock, 0, &is_new);
  b->facts->grew |= is_new;
}

// A data write of this word may store a copy of a held lock.
static void note_counted (const sync_step *s, uint32_t word) {
  bool is_new;
  map_insert (&builder (s)->facts->counted, term_value (s->p, s->address) + word, 0, &is_new);
  builder (s)->facts->grew |= is_new;
}

// Only for a lock whose address is a constant.
static void note_rwlock (const sync_step *s) {
  if (!term_is_const (s->p, s->address))
    build_doubt (builder (s), s->p->truth, "which rwlock it is depends on a pointer");
  else note_counted (s, IR_RW_READERS);
  observes (s);
  note_reader (builder (s), lock_number (s));
}

static void note_once (const sync_step *s) {
  if (!build_selected (builder (s), IR_P_DEADLOCK)) return;
  if (!term_is_const (s->p, s->address))
    build_doubt (builder (s), s->p->truth, "which pthread_once it is depends on a pointer");
  else note_counted (s, IR_ONCE_STATE);
}

static void note_before (const sync_step *s) {
  if (sync_sets_up (s)) return;
  if (ir_family_is_lock (s->family)) note_owner_word (s, ir_word_at (builder (s)->program, s->family, IR_W_OWNER));
  if (s->family == IR_F_RWLOCK) note_rwlock (s);
  if (s->family == IR_F_ONCE && s->facts->action == IR_A_ACQUIRE) note_once (s);
}

// The locks that the step must acquire, may release and inspects, and whether the step is a mover.
static void note_after (const sync_step *s) {
  efsm_point *point = &builder (s)->m->points.data[builder (s)->point];
  bool is_lock = ir_family_is_lock (s->family), like_mutex = is_lock && s->family != IR_F_RWLOCK;
  switch (s->facts->action) {
  case IR_A_ACQUIRE:
  case IR_A_RESUME:
  case IR_A_TIMED_RESUME:
    if (is_lock && !s->facts->shared) surely_takes (s);
    if (like_mutex && s->facts->action == IR_A_ACQUIRE) point->moves_right = !builder (s)->region;
    break;
  case IR_A_TRY:
  case IR_A_TIMED:
    if (like_mutex) observes (s);
    break;
  case IR_A_RELEASE:
    if (is_lock) may_release (s);
    if (like_mutex) point->moves_left = !builder (s)->region;
    break;
  case IR_A_WAIT: may_release (s); break;
  case IR_A_INIT:
  case IR_A_DESTROY:
    if (!is_lock && (s->facts->action == IR_A_INIT || s->family == IR_F_COND)) break;
    observes (s);
    may_release (s);
    break;
  default: break;
  }
}

// ---- values that rules read -------------------------------------------------------------------------
static term word_before (const sync_step *s, ir_word w) {
  term value = sync_read (s, w);
  if (s->facts->action != IR_A_INIT) return value;
  // an initialisation sees zeros in memory that was not written, or in a destroyed object
  term undefined = store_read (builder (s), &s->at, ir_word_at (s->x->program, s->family, w), 4).undefined;
  term destroyed = sync_is (s, sync_read (s, IR_W_STATE), IR_DESTROYED);
  term tells = term_and (s->p, sync_is (s, undefined, 0), term_not (s->p, destroyed));
  return term_ite (s->p, tells, value, sync_number (s, 0));
}

static term owns (const sync_step *s) { return term_eq (s->p, sync_read (s, IR_W_OWNER), s->self); }
static term reads (const sync_step *s) { return build_get (builder (s), reads_of (builder (s), lock_number (s))); }

// The object is used before its initialisation or after its destruction.
static term unusable (const sync_step *s) {
  term wrong = sync_is (s, store_read (builder (s), &s->at, 0, 4).undefined, 15);
  if (s->family == IR_F_ONCE) return wrong;
  return term_or (s->p, wrong, sync_is (s, sync_read (s, IR_W_STATE), IR_DESTROYED));
}

// ---- waiting ----------------------------------------------------------------------------------------
static term waits_at (const sync_step *s, uint32_t thread) { return life_waits (builder (s), thread); }
static void set_waits_at (const sync_step *s, uint32_t thread, term address, term condition) {
  life_set_waits (builder (s), thread, address, condition);
}

static uint32_t once_runner (const sync_step *s) {
  return build_variable (builder (s), V_RUNNER, lock_number (s), 0, 32, IR_NONE, sync_number (s, 0));
}

static void complete_wait (const sync_step *s, waiting *w) {
  bool tells_runner = build_selected (builder (s), IR_P_DEADLOCK);
  if (s->family == IR_F_ONCE)
    *w = waits_for_owner (s->p, tells_runner ? build_get (builder (s), once_runner (s)) : sync_number (s, 0));
  if (s->family == IR_F_RWLOCK) w->rwlock = lock_number (s);
}

// Any waiting thread, or a thread that the machine does not model.
static bool signal_in_crowd (const sync_step *s) {
  build *b = builder (s);
  if (!crowd_is_wanted (b)) return false;
  term chosen = crowd_choice_of_threads (b, 0);
  for (uint32_t t = 0; t < b->facts->threads.count; t++) {
    if (t == b->thread) continue;
    term here = term_eq (s->p, life_waits (b, t), s->address);
    life_set_waits (b, t, build_number (b, b->program->pointer_bits, 0),
                    term_and (s->p, here, term_extract (s->p, chosen, t, 1)));
  }
  return true;
}

static void settle_choice (const sync_step *s, term several, term any, term woken) {
  vec_last (&builder (s)->m->points.data[builder (s)->point].steps).chooses = several;
  build_require (builder (s), term_implies (s->p, any, woken));
}

// ---- changes ----------------------------------------------------------------------------------------
// Variables beside the words name the threads that read an rwlock, and the thread that executes a pthread_once.
static void change_holds (const sync_step *s, const sync_change *c) {
  build *b = builder (s);
  note_after (s);
  if (s->family == IR_F_ONCE && s->rule->takes && build_selected (b, IR_P_DEADLOCK))
    build_put (b, once_runner (s), s->self, c->takes);
  if (c->reads.i == TERM_NONE.i) return;
  uint32_t notes = reads_of (b, lock_number (s));
  term one = sync_number (s, 1);
  if (s->rule->takes) build_put (b, notes, term_add (s->p, c->reads, one), c->takes);
  else build_put (b, notes, term_sub (s->p, c->reads, one), term_and (s->p, c->gives, term_not (s->p, c->mine)));
}

static const sync_hooks hooks = {waits_at,      set_waits_at,    word_before,   sync_write,  owns, reads, unusable,
                                 complete_wait, signal_in_crowd, settle_choice, note_before, NULL, NULL,  change_holds};

void primitive_execute (build *b) {
  executor x = build_executor (b);
  synchronise (&x, &hooks, ((sync_threads) 1 << b->facts->threads.count) - 1, b->facts->options->spurious_wakeups);
}

// ---- at the end of a thread -------------------------------------------------------------------------
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
  store_write (b, word, 0, 4, cells_defined (b->terms, build_number (b, 32, IR_OWNER_ENDED), 4), mine);
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

// As the owner, or as a reader.
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
