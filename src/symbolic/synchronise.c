// Synchronisation operations on terms. One operation is executed in this order: its object is checked, the thread waits
// until the rule enables the operation, the changes of the rule are computed, and then words, holders and waiters
// change.
#include "symbolic/synchronise.h"

#include "base/diag.h"

enum { SYNC_THREADS_BITS = 128 };

// ---- words ------------------------------------------------------------------------------------------
static uint32_t place_of (const sync_step *s, ir_word w) { return ir_word_at (s->x->program, s->family, w); }

term sync_number (const sync_step *s, uint64_t value) { return term_const (s->p, 32, value); }

term sync_read (const sync_step *s, ir_word w) {
  return s->x->hooks->read (s->x->self, &s->at, place_of (s, w), 4).value;
}

void sync_write (const sync_step *s, ir_word w, term value, term condition) {
  s->x->hooks->write (s->x->self, &s->at, place_of (s, w), 4, cells_defined (s->p, value, 4), condition);
}

term sync_is (const sync_step *s, term x, uint64_t value) {
  return term_eq (s->p, x, term_const (s->p, term_bits (s->p, x), value));
}

bool sync_sets_up (const sync_step *s) { return s->facts->action == IR_A_INIT || s->facts->action == IR_A_DESTROY; }

// ---- threads that wait at an object -----------------------------------------------------------------
static term nowhere (const sync_step *s) { return term_const (s->p, s->x->program->pointer_bits, 0); }

static bool is_other_waiter (const sync_step *s, uint32_t thread) {
  return thread != s->x->thread && (s->waiters >> thread & 1);
}

static term waits_here (const sync_step *s, uint32_t thread) {
  return term_eq (s->p, s->hooks->waits_at (s, thread), s->waited_at);
}

static term is_in_use (const sync_step *s) {
  term any = s->p->falsity;
  for (uint32_t t = 0; t < SYNC_THREADS_BITS && s->waiters >> t; t++)
    if (is_other_waiter (s, t)) any = term_or (s->p, any, waits_here (s, t));
  return any;
}

static term is_waiting (const sync_step *s) {
  return term_not (s->p, term_eq (s->p, s->hooks->waits_at (s, s->x->thread), nowhere (s)));
}

// ---- values that rules read -------------------------------------------------------------------------
static term leaf (void *context, ir_rule_op op, ir_word w) {
  const sync_step *s = context;
  switch (op) {
  case IR_R_ARG: return term_resize (s->p, executor_argument (s->x, 1), 32);
  case IR_R_SELF: return s->self;
  case IR_R_WORD: return s->hooks->word (s, w);
  case IR_R_MINE: return s->hooks->mine (s);
  case IR_R_READS: return s->hooks->reads (s);
  case IR_R_WAITING: return is_waiting (s);
  case IR_R_IN_USE: return is_in_use (s);
  case IR_R_NUMBER:
  case IR_R_EQUAL:
  case IR_R_NOT:
  case IR_R_AND:
  case IR_R_OR:
  case IR_R_IF:
  case IR_R_PLUS: break;
  }
  BUG ("an expression of a rule should be a leaf");
}

static term condition (const sync_step *s, const ir_rule_expr *x) { return rule_condition (&s->terms, x); }
static term if_any (const sync_step *s, const ir_rule_expr *x) { return x ? condition (s, x) : s->p->falsity; }

// ---- waiting ----------------------------------------------------------------------------------------
static waiting waiting_for (const sync_step *s) {
  uint8_t needs = s->facts->needs;
  if (needs && !s->facts->names_mutex) return waits_for_any_thread (s->p, needs);
  waiting w =
      s->family == IR_F_ONCE ? waits_for_any_thread (s->p, 0) : waits_for_owner (s->p, sync_read (s, IR_W_OWNER));
  if (needs) w.by_any_thread = is_waiting (s), w.by = needs;
  s->hooks->complete_wait (s, &w);
  return w;
}

static bool alive (const sync_step *s) { return s->x->hooks->alive (s->x->self); }

// A thread that relocks a mutex waits for itself.
static void refuse_for_ever (const sync_step *s) {
  if (!s->rule->for_ever.when) return;
  term relock = condition (s, s->rule->for_ever.when);
  s->x->hooks->note_wait (s->x->self, relock, waits_for_owner (s->p, s->self));
  s->x->hooks->goal (s->x->self, IR_P_LOCKS, relock);
}

static void ask_for_misuse (const sync_step *s) {
  if (!s->rule->misuse.when) return;
  term wrong = condition (s, s->rule->misuse.when);
  s->x->hooks->misuse (s->x->self, wrong);
  if (s->hooks->note_misuse) s->hooks->note_misuse (s, wrong);
}

// Returns false if the thread goes no further.
static bool wait_until_enabled (const sync_step *s) {
  const ir_rule *r = s->rule;
  refuse_for_ever (s);
  if (alive (s)) ask_for_misuse (s);
  if (alive (s) && r->enabled) s->x->hooks->block (s->x->self, condition (s, r->enabled), waiting_for (s));
  return alive (s);
}

// ---- waking -----------------------------------------------------------------------------------------
static void wake_all (const sync_step *s, term when) {
  for (uint32_t t = 0; t < SYNC_THREADS_BITS && s->waiters >> t; t++)
    if (is_other_waiter (s, t)) s->hooks->set_waits_at (s, t, nowhere (s), term_and (s->p, when, waits_here (s, t)));
}

// Wakes one of the waiting threads: a choice between them, by number.
static void wake_one (const sync_step *s) {
  term any = s->p->falsity, several = s->p->falsity, woken = s->p->falsity, chosen = TERM_NONE;
  if (s->hooks->wake_one && s->hooks->wake_one (s)) return;
  for (uint32_t t = 0; t < SYNC_THREADS_BITS && s->waiters >> t; t++) {
    if (!is_other_waiter (s, t)) continue;
    if (chosen.i == TERM_NONE.i) chosen = s->x->hooks->choose (s->x->self, 8, s->p->falsity);
    term here = waits_here (s, t), it = term_and (s->p, here, sync_is (s, chosen, t));
    several = term_or (s->p, several, term_and (s->p, any, here));
    any = term_or (s->p, any, here);
    woken = term_or (s->p, woken, it);
    s->hooks->set_waits_at (s, t, nowhere (s), it);
  }
  if (chosen.i != TERM_NONE.i) s->hooks->settle_choice (s, several, any, woken);
}

// ---- changes ----------------------------------------------------------------------------------------
static sync_change change_of (const sync_step *s) {
  const ir_rule *r = s->rule;
  bool gives_lock = ir_family_is_lock (s->family) && r->gives && !r->gives_all;
  bool asks_reads = s->family == IR_F_RWLOCK && (s->facts->shared || gives_lock);
  sync_change c = {.takes = if_any (s, r->takes), .gives = if_any (s, r->gives)};
  c.mine = gives_lock ? s->hooks->mine (s) : s->p->falsity;
  c.wakes = if_any (s, r->wakes);
  c.waits = if_any (s, r->waits);
  c.reads = asks_reads ? s->hooks->reads (s) : TERM_NONE;
  // A thread that goes on after a wait for a signal has been woken.
  c.waiting = r->stops_waiting && !s->facts->needs ? is_waiting (s) : s->p->falsity;
  return c;
}

static void change_words (const sync_step *s) {
  rule_change c[IR_MOST_EFFECTS];
  uint32_t count = rule_changes (&s->terms, s->rule, c);
  for (uint32_t k = 0; k < count; k++) s->hooks->set_word (s, c[k].word, c[k].value, c[k].when);
}

// Whether the wake-up is spurious is chosen when the wait begins.
static term waits_for_signal (const sync_step *s) {
  if (!s->rule->may_wake_alone || !s->spurious_wakeups) return s->p->truth;
  return sync_is (s, s->x->hooks->choose (s->x->self, 1, s->p->truth), 0);
}

static void change_waiters (const sync_step *s, const sync_change *c) {
  const ir_rule *r = s->rule;
  uint32_t self = s->x->thread;
  if (r->wakes && s->facts->action == IR_A_WAKE_ONE) wake_one (s);
  else if (r->wakes) wake_all (s, c->wakes);
  if (r->stops_waiting) s->hooks->set_waits_at (s, self, nowhere (s), c->waiting);
  if (r->waits) s->hooks->set_waits_at (s, self, s->waited_at, term_and (s->p, c->waits, waits_for_signal (s)));
}

static void execute_synchronisation (const sync_step *s) {
  if (s->hooks->note_begin) s->hooks->note_begin (s);
  if (!wait_until_enabled (s)) return;
  sync_change c = change_of (s);
  term result = s->rule->result ? rule_number (&s->terms, s->rule->result) : TERM_NONE;
  if (s->hooks->note_change) s->hooks->note_change (s, &c);
  change_words (s);
  s->hooks->change_holds (s, &c);
  change_waiters (s, &c);
  if (s->rule->result) s->x->hooks->set (s->x->self, executor_edge (s->x)->dst, result);
}

// ---- the objects ------------------------------------------------------------------------------------
static void init_step_object (sync_step *s, ir_family family, term address) {
  pointers_release_targets (&s->at);
  s->at = (targets){0};
  s->family = family;
  s->address = address;
  access_kind kind = {.bytes = 4, .write = s->facts->action != IR_A_READ};
  s->x->hooks->check (s->x->self, address, kind, &s->at);
}

static void check_state (const sync_step *s) {
  term wrong = s->hooks->unusable (s);
  s->x->hooks->misuse (s->x->self, wrong);
  s->x->hooks->doubt (s->x->self, wrong, "a synchronisation object is used that is not initialised");
}

void synchronise (const executor *x, const sync_hooks *hooks, sync_threads waiters, bool spurious_wakeups) {
  ir_op op = executor_edge (x)->op;
  sync_step s = {.x = x,
                 .p = x->terms,
                 .hooks = hooks,
                 .facts = ir_sync_of (op),
                 .rule = ir_rule_of (op),
                 .family = ir_sync_of (op)->family,
                 .address = executor_argument (x, 0),
                 .self = executor_number (x, 32, x->thread + 1),
                 .waiters = waiters,
                 .spurious_wakeups = spurious_wakeups};
  s.waited_at = s.address;
  s.terms = (rule_terms){.terms = x->terms, .context = &s, .leaf = leaf};
  if (!s.facts->untouched) {
    init_step_object (&s, s.family, s.address);
    if (alive (&s) && s.facts->action != IR_A_INIT) check_state (&s);
  }
  if (alive (&s) && s.facts->names_mutex) init_step_object (&s, IR_F_MUTEX, executor_argument (x, 1));
  if (alive (&s)) execute_synchronisation (&s);
  pointers_release_targets (&s.at);
}
