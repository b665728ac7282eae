// Synchronisation as one step on the words of its object, as the rules of ir/sync.h say: the step is possible when the
// operation is enabled, and a thread whose operation is not enabled stays where it is.
#include "efsm/build_impl.h"
#include "encode/rule.h"

typedef struct sync {
  build *b;
  term_pool *p;
  const ir_edge_data *d;
  const ir_sync *facts;
  const ir_rule *rule;
  rule_terms terms;  // of the rule
  ir_family family;  // of the object whose words the rule speaks of
  targets at;        // that object, good for an access
  term address;      // its address
  term waited_at;    // the first argument
  term self;         // thread + 1, as the words have it
} sync;

// ---- words ----------------------------------------------------------------------------------------------------------
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

// ---- which lock it is, where that is a constant (MTX) ---------------------------------------------------------------
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

// ---- plain accesses of the words of a lock --------------------------------------------------------------------------
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

// ---- facts for other passes -----------------------------------------------------------------------------------------
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

// The start of an operation on an rwlock, whose words do not say which threads read.
// How often a thread reads.
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
static void note_rwlock (const sync *s) {
  if (!term_is_const (s->p, s->address)) build_doubt (s->b, s->p->truth, "which rwlock it is depends on a pointer");
  else note_counted (s, IR_RW_READERS);
  observes (s);
  note_reader (s->b, lock_number (s));
}

static void note_once (const sync *s) {
  if (!build_selected (s->b, IR_P_DEADLOCK)) return;
  if (!term_is_const (s->p, s->address))
    build_doubt (s->b, s->p->truth, "which pthread_once it is depends on a pointer");
  else note_counted (s, IR_ONCE_STATE);
}

static bool sets_up (const sync *s) { return s->facts->action == IR_A_INIT || s->facts->action == IR_A_DESTROY; }

static void note_before (const sync *s) {
  if (sets_up (s)) return;
  if (ir_family_is_lock (s->family)) note_owner_word (s, ir_word_at (s->b->program, s->family, IR_W_OWNER));
  if (s->family == IR_F_RWLOCK) note_rwlock (s);
  if (s->family == IR_F_ONCE && s->facts->action == IR_A_ACQUIRE) note_once (s);
}

// Which locks the step surely takes, may give and looks at, and whether it moves.
static void note_after (const sync *s) {
  efsm_point *point = &s->b->m->points.data[s->b->point];
  bool is_lock = ir_family_is_lock (s->family), like_mutex = is_lock && s->family != IR_F_RWLOCK;
  switch (s->facts->action) {
  case IR_A_ACQUIRE:
  case IR_A_RESUME:
  case IR_A_TIMED_RESUME:
    if (is_lock && !s->facts->shared) surely_takes (s);
    if (like_mutex && s->facts->action == IR_A_ACQUIRE) point->moves_right = !s->b->region;
    break;
  case IR_A_TRY:
  case IR_A_TIMED:
    if (like_mutex) observes (s);
    break;
  case IR_A_RELEASE:
    if (is_lock) may_release (s);
    if (like_mutex) point->moves_left = !s->b->region;
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

// ---- what a rule speaks of ------------------------------------------------------------------------------------------
static term nowhere (const sync *s) { return build_number (s->b, s->b->program->pointer_bits, 0); }

static term word_of (const sync *s, ir_word w) { return word (s, ir_word_at (s->b->program, s->family, w)); }

// Of memory that has not been written, or of a destroyed object, an initialisation sees zeros.
static term word_before_init (const sync *s, ir_word w) {
  cells c = store_read (s->b, &s->at, ir_word_at (s->b->program, s->family, w), 4);
  term written = is (s, c.undefined, 0), destroyed = is (s, word_of (s, IR_W_STATE), IR_DESTROYED);
  return pick (s, both (s, written, negated (s, destroyed)), c.value, number (s, 0));
}

static term is_in_use (const sync *s) {
  term any = s->p->falsity;
  for (uint32_t t = 0; t < s->b->facts->threads.count; t++)
    if (t != s->b->thread) any = either (s, any, term_eq (s->p, life_waits (s->b, t), s->waited_at));
  return any;
}

static term leaf (void *context, ir_rule_op op, ir_word w) {
  const sync *s = context;
  switch (op) {
  case IR_R_ARG: return term_resize (s->p, build_arg (s->b, 1), 32);
  case IR_R_SELF: return s->self;
  case IR_R_WORD: return s->facts->action == IR_A_INIT ? word_before_init (s, w) : word_of (s, w);
  case IR_R_MINE: return term_eq (s->p, word_of (s, IR_W_OWNER), s->self);
  case IR_R_READS: return build_get (s->b, reads_of (s->b, lock_number (s)));
  case IR_R_WAITING: return negated (s, term_eq (s->p, life_waits (s->b, s->b->thread), nowhere (s)));
  default: return is_in_use (s);
  }
}

static term condition (const sync *s, const ir_rule_expr *x) { return rule_condition (&s->terms, x); }
static term if_any (const sync *s, const ir_rule_expr *x) { return x ? condition (s, x) : s->p->falsity; }

// ---- waiting --------------------------------------------------------------------------------------------------------
static waits_for for_owner (const sync *s, term owner) { return (waits_for){owner, s->p->falsity, 0, IR_NONE}; }
static waits_for for_anybody (const sync *s, uint8_t by) {
  return (waits_for){number (s, 0), s->p->truth, by, IR_NONE};
}

static uint32_t once_runner (const sync *s) {
  return build_variable (s->b, V_RUNNER, lock_number (s), 0, 32, IR_NONE, number (s, 0));
}

static waits_for waits_of (const sync *s) {
  uint8_t needs = s->facts->needs;
  if (s->family == IR_F_ONCE)
    return for_owner (s, build_selected (s->b, IR_P_DEADLOCK) ? build_get (s->b, once_runner (s)) : number (s, 0));
  if (needs && !s->facts->names_mutex) return for_anybody (s, needs);
  waits_for out = for_owner (s, word_of (s, IR_W_OWNER));
  if (needs) out.anybody = leaf ((void *) s, IR_R_WAITING, 0), out.by = needs;
  if (s->family == IR_F_RWLOCK) out.rwlock = lock_number (s);
  return out;
}

// A thread that relocks a mutex waits for itself.
static void wait_until_enabled (const sync *s) {
  const ir_rule *r = s->rule;
  if (r->for_ever.when) {
    term relock = condition (s, r->for_ever.when);
    build_note_wait (s->b, negated (s, relock), for_owner (s, s->self));
    build_goal (s->b, IR_P_LOCKS, relock);
  }
  if (r->misuse.when) build_misuse (s->b, condition (s, r->misuse.when));
  if (r->enabled) build_waits (s->b, condition (s, r->enabled), waits_of (s));
}

// ---- waking ---------------------------------------------------------------------------------------------------------
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

// ---- what changes ---------------------------------------------------------------------------------------------------
// A spurious wake-up is chosen when the wait begins.
static term waits_for_signal (const sync *s) {
  if (!s->rule->may_wake_alone || !s->b->facts->options->spurious_wakeups) return s->p->truth;
  return is (s, build_choice (s->b, 1, s->p->truth), 0);
}

// Threads that read an rwlock, and the one that executes a pthread_once, are known by variables beside the words.
static void change_notes (const sync *s, term takes, term gives, term mine) {
  if (s->family == IR_F_ONCE && s->rule->takes && build_selected (s->b, IR_P_DEADLOCK))
    build_put (s->b, once_runner (s), s->self, takes);
  if (s->family != IR_F_RWLOCK || sets_up (s)) return;
  uint32_t notes = reads_of (s->b, lock_number (s));
  term reads = build_get (s->b, notes);
  if (s->rule->takes && s->facts->shared) build_put (s->b, notes, plus (s, reads, 1), takes);
  if (s->rule->gives) build_put (s->b, notes, plus (s, reads, -1), both (s, gives, negated (s, mine)));
}

static void change_words (const sync *s) {
  rule_change c[IR_MOST_EFFECTS];
  uint32_t count = rule_changes (&s->terms, s->rule, c);
  for (uint32_t k = 0; k < count; k++)
    set_word (s, ir_word_at (s->b->program, s->family, c[k].word), c[k].value, c[k].when);
}

static void change_waiters (const sync *s, term wakes, term waits, term waiting) {
  const ir_rule *r = s->rule;
  if (r->wakes && s->facts->action == IR_A_WAKE_ONE) cond_signal (s);
  else if (r->wakes) wake_all (s, wakes);
  if (r->stops_waiting) life_set_waits (s->b, s->b->thread, nowhere (s), waiting);
  if (r->waits) life_set_waits (s->b, s->b->thread, s->waited_at, both (s, waits, waits_for_signal (s)));
}

static void execute (sync *s) {
  const ir_rule *r = s->rule;
  note_before (s);
  wait_until_enabled (s);
  bool asks_mine = s->family == IR_F_RWLOCK && r->gives && !sets_up (s);
  term takes = if_any (s, r->takes), gives = if_any (s, r->gives),
       mine = asks_mine ? leaf (s, IR_R_MINE, 0) : s->p->falsity;
  term wakes = if_any (s, r->wakes), waits = if_any (s, r->waits);
  // A thread that needs to be woken has been when it goes on.
  term waiting = r->stops_waiting && !s->facts->needs ? leaf (s, IR_R_WAITING, 0) : s->p->falsity;
  term result = r->result ? rule_number (&s->terms, r->result) : TERM_NONE;
  change_words (s);
  change_notes (s, takes, gives, mine);
  change_waiters (s, wakes, waits, waiting);
  note_after (s);
  if (r->result) give (s, result);
}

// ---- the objects ----------------------------------------------------------------------------------------------------
// What is used before it is initialised, or after it was destroyed.
static void check_state (const sync *s) {
  term wrong = is (s, store_read (s->b, &s->at, 0, 4).undefined, 15);
  if (s->family != IR_F_ONCE) wrong = either (s, wrong, is (s, word_of (s, IR_W_STATE), IR_DESTROYED));
  build_misuse (s->b, wrong);
  build_doubt (s->b, wrong, "a synchronisation object is used that is not initialised");
}

static void look_at (sync *s, ir_family family, term address, bool write) {
  pointers_release_targets (&s->at);
  s->at = (targets){0};
  s->family = family;
  s->address = address;
  store_check (s->b, address, (access_kind){.bytes = 4, .write = write}, &s->at);
}

void primitive_execute (build *b) {
  sync s = {.b = b, .p = b->terms, .d = ir_edge_at (b->program, b->edge), .self = build_number (b, 32, b->thread + 1)};
  s.facts = ir_sync_of (s.d->op);
  s.rule = ir_rule_of (s.d->op);
  s.terms = (rule_terms){.terms = b->terms, .context = &s, .leaf = leaf};
  s.family = s.facts->family;
  s.waited_at = s.address = build_arg (b, 0);
  if (!s.facts->untouched) {
    look_at (&s, s.family, s.address, s.facts->action != IR_A_READ);
    if (s.facts->action != IR_A_INIT) check_state (&s);
  }
  if (s.facts->names_mutex) look_at (&s, IR_F_MUTEX, build_arg (b, 1), true);
  execute (&s);
  pointers_release_targets (&s.at);
}

// ---- at the end of a thread -----------------------------------------------------------------------------------------
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
