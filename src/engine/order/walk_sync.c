// Synchronisation as reads and writes of words, as the rules of ir/sync.h say: an operation reads the state of its
// object, goes on only if it is enabled (a thread whose operation is not enabled just stays where it is: no execution
// is lost, because every prefix of one is one), and writes the new state, all at one node. Whether a thread itself
// holds a lock, and how often, it also knows without reading the words, as counts in memory of its own.
#include "encode/rule.h"
#include "engine/order/walk_impl.h"

enum { NOT_TOLD = 0x80 /* of a wait: any operation might end it */ };

typedef struct sync {
  walk *w;
  term_pool *p;
  const ir_edge_data *d;
  const ir_sync *facts;
  const ir_rule *rule;
  rule_terms terms;  // of the rule
  ir_family family;  // of the object whose words the rule speaks of
  targets at;        // that object, good for an access
  term waited_at;    // the first argument
  term self;         // thread + 1, as the words have it
} sync;

// ---- words ----------------------------------------------------------------------------------------------------
static uint32_t word_at (const sync *s, ir_word w) { return ir_word_at (s->w->program, s->family, w); }
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

static term word_of (walk *w, const target *t, uint32_t at) {
  targets one = {0};
  vec_push (&one.list, *t);
  term value = ram_read (w, &one, at, 4).value;
  pointers_release_targets (&one);
  return value;
}

// Where an index decides which lock it is, the owner's word has to tell.
static term holds_by_word (const sync *s, const target *t) {
  walk *w = s->w;
  uint32_t owner_at = word_at (s, IR_W_OWNER);
  if (s->family == IR_F_RWLOCK) walk_doubt (w, t->condition, "which rwlock it is depends on an index");
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
    target t = target_at (w->terms->truth, (uint32_t) (e->key >> 32), walk_number (w, 32, (uint32_t) e->key));
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

// The owner word alone does not tell how often its owner has locked a recursive mutex.
static void doubt_counting (const sync *s) {
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    if (!is_by_word (s->w, &s->at.list.data[k])) continue;
    term recursive = term_eq (s->p, word (s, word_at (s, IR_W_KIND)), number (s, IR_MUTEX_RECURSIVE));
    walk_doubt (s->w, recursive, "which recursive mutex it is depends on an index");
  }
}

// ---- the holder of a lock, before an initialisation --------------------------------------------------------------
// What its words were before is not known of new memory that others may see.
static bool words_are_known (const walk *w, const target *t) {
  const walk_object *o = &w->objects.data[t->object];
  return !w->now->published || o->kind == MADE_STATIC || !sharing_shared (w->sharing, t->object, 0, o->most_bytes);
}

// What is initialised need not be a lock; then its first word is looked at, as a mutex's is.
static ir_family shadow_family (ir_family family) { return ir_family_is_lock (family) ? family : IR_F_MUTEX; }

static term is_held (const sync *s) {
  term any = s->p->falsity;
  for (uint32_t k = 0; k < s->at.list.count; k++) {
    const target *t = &s->at.list.data[k];
    term held = s->p->falsity;
    if (!words_are_known (s->w, t)) held = shadow_held (s->w, t, shadow_family (s->family));
    else {
      // The owner word of a spin lock also says that it is destroyed.
      term owner = word_of (s->w, t, word_at (s, IR_W_OWNER));
      held = not(s, either (s, is_zero (s, owner), term_eq (s->p, owner, number (s, IR_DESTROYED))));
      if (s->family == IR_F_RWLOCK) held = either (s, held, not(s, is_zero (s, word_of (s->w, t, IR_RW_READERS))));
    }
    any = either (s, any, both (s, t->condition, held));
  }
  return any;
}

// ---- waiting threads ----------------------------------------------------------------------------------------------
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

static term is_in_use (const sync *s) {
  walk *w = s->w;
  term any = s->p->falsity;
  for (uint32_t t = 0; t < THREAD_SET_BITS; t++)
    if (t != w->thread && (w->sharing->waiters >> t & 1))
      any = either (s, any, term_eq (s->p, waits_at (w, t), s->waited_at));
  return any;
}

// ---- what a rule speaks of ------------------------------------------------------------------------------------------
static bool counts_holds (const sync *s, ir_word w) { return s->family == IR_F_MUTEX && w == IR_W_COUNT; }

// Before an initialisation the words may be those of whatever lay there.
static term word_before_init (const sync *s, ir_word w) {
  if (w != IR_W_OWNER) return number (s, 0);
  return pick (s, is_held (s), number (s, 1), number (s, 0));
}

static term leaf (void *context, ir_rule_op op, ir_word w) {
  const sync *s = context;
  switch (op) {
  case IR_R_ARG: return term_resize (s->p, walk_arg (s->w, 1), 32);
  case IR_R_SELF: return s->self;
  case IR_R_WORD:
    if (s->facts->action == IR_A_INIT) return word_before_init (s, w);
    return counts_holds (s, w) ? holds (s, 0) : word (s, word_at (s, w));
  case IR_R_MINE: return not(s, is_zero (s, holds (s, 0)));
  case IR_R_READS: return holds (s, HOLDS_READING);
  case IR_R_WAITING: return not(s, term_eq (s->p, waits_at (s->w, s->w->thread), nowhere (s->w)));
  default: return is_in_use (s);
  }
}

static term condition (const sync *s, const ir_rule_expr *x) { return rule_condition (&s->terms, x); }
static term if_any (const sync *s, const ir_rule_expr *x) { return x ? condition (s, x) : s->p->falsity; }

// ---- waiting --------------------------------------------------------------------------------------------------------
static waiting for_owner (const sync *s, term owner) { return (waiting){owner, s->p->falsity, 0, IR_NONE}; }
static waiting for_anybody (const sync *s, uint8_t by) { return (waiting){TERM_NONE, s->p->truth, by, IR_NONE}; }

static waiting waits_of (const sync *s) {
  uint8_t needs = s->facts->needs;
  if (s->family == IR_F_ONCE) return for_anybody (s, NOT_TOLD);
  if (needs && !s->facts->names_mutex) return for_anybody (s, needs);
  waiting out = for_owner (s, word (s, word_at (s, IR_W_OWNER)));
  if (needs) out.anybody = leaf ((void *) s, IR_R_WAITING, 0), out.by = needs;
  if (s->family == IR_F_RWLOCK) out.anybody = is_zero (s, out.owner), out.by = NOT_TOLD;
  return out;
}

static void ask_for_misuse (const sync *s) {
  if (!s->rule->misuse.when) return;
  term wrong = condition (s, s->rule->misuse.when);
  walk_misuse (s->w, wrong);
  if (s->facts->action == IR_A_INIT && ir_family_is_lock (s->family))
    walk_doubt (s->w, wrong, "a lock that is held is initialised");
}

// False: the path ends here.  A thread that relocks a mutex waits for itself.
static bool wait_until_enabled (const sync *s) {
  const ir_rule *r = s->rule;
  if (r->for_ever.when) {
    term relock = condition (s, r->for_ever.when);
    walk_note_wait (s->w, relock, for_owner (s, s->self));
    walk_goal (s->w, IR_P_LOCKS, relock);
  }
  if (walk_alive (s->w)) ask_for_misuse (s);
  if (walk_alive (s->w) && r->enabled) walk_block (s->w, condition (s, r->enabled), waits_of (s));
  return walk_alive (s->w);
}

// ---- waking ---------------------------------------------------------------------------------------------------------
static void wake_all (const sync *s, term condition) {
  walk *w = s->w;
  for (uint32_t t = 0; t < THREAD_SET_BITS; t++) {
    if (t == w->thread || !(w->sharing->waiters >> t & 1)) continue;
    term here = both (s, condition, term_eq (s->p, waits_at (w, t), s->waited_at));
    set_waits_at (w, t, nowhere (w), here);
  }
}

// One of those who wait, any of them: chosen by its number.
static void cond_signal (const sync *s) {
  walk *w = s->w;
  term any = s->p->falsity, several = s->p->falsity, woken = s->p->falsity, chosen = TERM_NONE;
  for (uint32_t t = 0; t < THREAD_SET_BITS; t++) {
    if (t == w->thread || !(w->sharing->waiters >> t & 1)) continue;
    if (chosen.i == TERM_NONE.i) chosen = walk_choice (w, 8, s->p->falsity);
    term here = term_eq (s->p, waits_at (w, t), s->waited_at),
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

// ---- what changes ---------------------------------------------------------------------------------------------------
// A spurious wake-up is chosen when the wait begins.
static term waits_for_signal (const sync *s) {
  if (!s->rule->may_wake_alone || !s->w->options->semantics->spurious_wakeups) return s->p->truth;
  return is_zero (s, walk_choice (s->w, 1, s->p->truth));
}

static void change_word (const sync *s, ir_word w, term value, term when) {
  bool tells_holder = ir_family_is_lock (s->family) && (w == IR_W_OWNER || w == IR_W_READERS);
  if (counts_holds (s, w) && s->facts->action != IR_A_INIT) set_holds (s, 0, value, when);
  else if (tells_holder) set_holder (s, word_at (s, w), value, when);
  else set_word (s, word_at (s, w), value, when);
}

static void change_words (const sync *s) {
  rule_change c[IR_MOST_EFFECTS];
  uint32_t count = rule_changes (&s->terms, s->rule, c);
  for (uint32_t k = 0; k < count; k++) change_word (s, c[k].word, c[k].value, c[k].when);
}

// What the thread knows of locks whose words do not count: once if it owns one, and how often it reads.
static void change_holds (const sync *s, term takes, term gives, term mine, term reads) {
  bool is_setting_up = s->facts->action == IR_A_INIT || s->facts->action == IR_A_DESTROY;
  if (is_setting_up || (s->family != IR_F_SPIN && s->family != IR_F_RWLOCK)) return;
  if (s->facts->shared) set_holds (s, HOLDS_READING, term_add (s->p, reads, number (s, 1)), takes);
  else if (s->rule->takes) set_holds (s, 0, number (s, 1), takes);
  if (!s->rule->gives) return;
  set_holds (s, 0, number (s, 0), mine);
  if (s->family == IR_F_RWLOCK)
    set_holds (s, HOLDS_READING, term_sub (s->p, reads, number (s, 1)), both (s, gives, not(s, mine)));
}

// A mutex or spin lock of another thread becomes free, whatever that thread thinks.
static void note_taking_away (const sync *s, term gives, term mine) {
  if (s->facts->action != IR_A_RELEASE || (s->family != IR_F_MUTEX && s->family != IR_F_SPIN)) return;
  if (term_is_false (s->p, both (s, s->w->now->guard, both (s, gives, not(s, mine))))) return;
  for (uint32_t k = 0; k < s->at.list.count; k++) sharing_mark_by_word (s->w->sharing, s->at.list.data[k].object);
}

static void change_waiters (const sync *s, term wakes, term waits, term waiting) {
  const ir_rule *r = s->rule;
  walk *w = s->w;
  if (r->wakes && s->facts->action == IR_A_WAKE_ONE) cond_signal (s);
  else if (r->wakes) wake_all (s, wakes);
  if (r->stops_waiting) set_waits_at (w, w->thread, nowhere (w), waiting);
  if (!r->waits) return;
  set_waits_at (w, w->thread, s->waited_at, both (s, waits, waits_for_signal (s)));
  sharing_mark_waiter (w->sharing, w->thread);
}

static void execute (const sync *s) {
  const ir_rule *r = s->rule;
  bool is_lock = ir_family_is_lock (s->family), gives_lock = is_lock && r->gives && !r->gives_all;
  if (!wait_until_enabled (s)) return;
  term takes = if_any (s, r->takes), gives = if_any (s, r->gives),
       mine = gives_lock ? leaf ((void *) s, IR_R_MINE, 0) : s->p->falsity;
  term wakes = if_any (s, r->wakes), waits = if_any (s, r->waits);
  term reads =
      s->family == IR_F_RWLOCK && (s->facts->shared || gives_lock) ? leaf ((void *) s, IR_R_READS, 0) : TERM_NONE;
  // A thread that needs to be woken has been when it goes on.
  term waiting = r->stops_waiting && !s->facts->needs ? leaf ((void *) s, IR_R_WAITING, 0) : s->p->falsity;
  term value = r->result ? rule_number (&s->terms, r->result) : TERM_NONE;
  if (is_lock && s->family == IR_F_MUTEX && r->takes) doubt_counting (s);
  note_taking_away (s, gives, mine);
  change_words (s);
  change_holds (s, takes, gives, mine, reads);
  change_waiters (s, wakes, waits, waiting);
  if (s->facts->action == IR_A_DESTROY)
    for (uint32_t k = 0; k < s->at.list.count; k++) sharing_mark_destroyed (s->w->sharing, s->at.list.data[k].object);
  if (r->result) result (s, value);
}

// ---- the objects ----------------------------------------------------------------------------------------------------
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
    if (sharing_destroyed (w->sharing, t->object) && s->family != IR_F_ONCE) {
      term state = ram_read (w, &one, word_at (s, IR_W_STATE), 4).value;
      wrong = either (s, wrong, both (s, t->condition, term_eq (s->p, state, number (s, IR_DESTROYED))));
    }
    pointers_release_targets (&one);
  }
  walk_misuse (w, wrong);
  walk_doubt (w, wrong, "a synchronisation object is used that is not initialised");
}

static void look_at (sync *s, ir_family family, term address) {
  pointers_release_targets (&s->at);
  s->at = (targets){0};
  s->family = family;
  ram_check (s->w, address, (access_kind){.bytes = 4, .write = s->facts->action != IR_A_READ}, &s->at);
}

void sync_execute (walk *w) {
  sync s = {.w = w, .p = w->terms, .d = &w->program->edges.data[w->edge.i], .self = walk_number (w, 32, w->thread + 1)};
  s.facts = ir_sync_of (s.d->op);
  s.rule = ir_rule_of (s.d->op);
  s.terms = (rule_terms){.terms = w->terms, .context = &s, .leaf = leaf};
  s.family = s.facts->family;
  s.waited_at = walk_arg (w, 0);
  if (!s.facts->untouched) {
    look_at (&s, s.family, s.waited_at);
    if (walk_alive (w) && s.facts->action != IR_A_INIT) check_state (&s);
    if (ir_family_is_lock (s.family)) shadow_note_locks (w, &s.at, s.family);
  }
  if (walk_alive (w) && s.facts->names_mutex) look_at (&s, IR_F_MUTEX, walk_arg (w, 1));
  if (walk_alive (w)) execute (&s);
  pointers_release_targets (&s.at);
}
