// Compares the interpreter's own synchronisation with the rules of ir/sync.h, which all engines use.  For each
// operation, in every small state of its object, of the threads that wait at it and of the thread that executes it,
// both must agree on whether it is enabled, what is misuse, the words afterwards, what the thread holds, which threads
// continue to wait, and the result.
#include "ir/sync.h"
#include "verdict/verdict_test.h"

enum { RUNNER = 0, OTHERS = 2 };  // threads 1 and 2 only wait, or own an object

// A state in which thread 0 stands before the operation. Of an operation that names a mutex, the words are the mutex's.
typedef struct small_state {
  uint32_t word[IR_NUM_WORDS];
  uint32_t reads;    // number of times that the thread itself holds the object for reading
  uint32_t waiters;  // number of other threads that wait at the object
  uint32_t waits;    // the thread itself has not been woken
  uint32_t choice;   // cond_wait: a spurious wake-up; cond_signal: which waiter
} small_state;

typedef struct bench {
  world w;
  ir_op op;
  const ir_sync *sync;
  const ir_rule *rule;
  ir_family words_of;  // family that the words belong to
  ir_object object, mutex;
  ir_reg result;
  uint64_t address, words_at;
  ir_loc before;
  small_state s;
} bench;

enum { ARGUMENT = 2 };  // second argument of the operations that initialise

static void bench_init (bench *b, ir_op op) {
  *b = (bench){.op = op, .sync = ir_sync_of (op), .rule = ir_rule_of (op)};
  world *w = &b->w;
  world_init (w, 1 + OTHERS);
  w->semantics.spurious_wakeups = true;
  b->object = world_object (w, "object", 40);
  b->mutex = world_object (w, "mutex", 40);
  b->words_of = b->sync->names_mutex ? IR_F_MUTEX : b->sync->family;
  b->result = ir_op_table[op].result == 'r' ? reg (w, RUNNER, 32, NULL) : NONE;
  if (b->sync->names_mutex) EMIT (w, RUNNER, op, b->result, at (w, b->object, 0), at (w, b->mutex, 0));
  else if (ir_op_table[op].max_args == 2)
    EMIT (w, RUNNER, op, b->result, at (w, b->object, 0), number (w, 32, ARGUMENT));
  else EMIT (w, RUNNER, op, b->result, at (w, b->object, 0));
  world_start (w);
  b->address = address_make (w->p, b->object.i, 0);
  b->words_at = b->sync->names_mutex ? address_make (w->p, b->mutex.i, 0) : b->address;
  b->before = vec_last (&w->m.threads[RUNNER].frames).loc;
}

static uint32_t word_at (const bench *b, ir_word word) { return ir_word_at (b->w.p, b->words_of, word); }

// ---- which states there are --------------------------------------------------------------------------------
static bool has_word (const bench *b, ir_word word) { return word_at (b, word) != IR_NONE; }

// The state word of an object is 0; that of once is its state. The other words may hold anything, since programs can
// write into them.
static bool words_are_possible (const bench *b) { return !b->s.word[IR_W_STATE] || b->words_of == IR_F_ONCE; }

static bool is_possible (const bench *b) {
  const small_state *s = &b->s;
  bool waited_at = b->sync->family == IR_F_COND || b->sync->family == IR_F_BARRIER;
  bool chooses = b->op == IR_COND_WAIT || (b->op == IR_COND_SIGNAL && s->waiters > 1);
  if (!words_are_possible (b)) return false;
  if (s->reads > s->word[IR_W_READERS] || (s->waiters && !waited_at)) return false;
  if (s->waits && !b->sync->untouched) return false;
  return s->waits < 2 && s->choice < (chooses ? 2u : 1u);
}

// How far a quantity is counted up, by its place in the state: kinds of mutexes go to glibc's adaptive one, which locks
// like a normal one.
static uint32_t most (const bench *b, size_t place) {
  if (place >= IR_NUM_WORDS) return 2;
  if (!has_word (b, (ir_word) place)) return 0;
  return place == IR_W_KIND ? 3 : 2;
}

static bool next_state (bench *b) {
  uint32_t *digits = (uint32_t *) &b->s;
  for (size_t k = 0; k < sizeof b->s / sizeof *digits; k++) {
    if (digits[k]++ < most (b, k)) return true;
    digits[k] = 0;
  }
  return false;
}

// ---- putting the machine into one --------------------------------------------------------------------------
static void hold (bench *b, uint32_t slot, lock_kind kind) {
  vec_push (&b->w.m.threads[slot].held, ((held_lock){b->words_at, kind, NULL}));
}

static void note_holders (bench *b) {
  const small_state *s = &b->s;
  uint32_t owner = s->word[IR_W_OWNER];
  lock_kind kind = b->words_of == IR_F_MUTEX ? LOCK_MUTEX : b->words_of == IR_F_SPIN ? LOCK_SPIN : LOCK_WRITE;
  if (owner) hold (b, owner - 1, kind);
  for (uint32_t k = 0; k < s->word[IR_W_READERS]; k++) hold (b, k < s->reads ? RUNNER : 1, LOCK_READ);
  if (b->words_of == IR_F_ONCE && s->word[IR_W_STATE] == 1) hold (b, b->op == IR_ONCE_END ? RUNNER : 1, LOCK_ONCE);
}

static void enter (bench *b) {
  machine *m = &b->w.m;
  const small_state *s = &b->s;
  memory_write (m, b->address, 8, 0);
  for (ir_word k = 0; k < IR_NUM_WORDS; k++)
    if (has_word (b, k)) memory_write (m, b->words_at + word_at (b, k), 4, s->word[k]);
  for (uint32_t slot = 0; slot <= OTHERS; slot++) {
    vec_clear (&m->threads[slot].held);
    m->threads[slot].waiting = slot != RUNNER && slot <= s->waiters ? b->address : 0;
    m->threads[slot].spurious = false;
  }
  m->threads[RUNNER].waiting = s->waits ? b->address : 0;
  note_holders (b);
  vec_last (&m->threads[RUNNER].frames).loc = b->before;
  m->threads[RUNNER].pending.known = false;
  b->w.choices[0] = b->op == IR_COND_SIGNAL ? s->choice + 1 : s->choice;
  b->w.num_choices = 1;
  b->w.next_choice = 0;
}

// ---- what the rule says ------------------------------------------------------------------------------------
static uint32_t value (bench *b, const ir_rule_expr *x) {
  uint8_t bytes[40] = {0};
  ir_rule_state s = {.bytes = bytes,
                     .places = ir_word_places[b->words_of],
                     .kind_at = IR_MUTEX_KIND (b->w.p),
                     .arg = ARGUMENT,
                     .self = RUNNER + 1,
                     .waiting = b->s.waits};
  for (ir_word k = 0; k < IR_NUM_WORDS; k++)
    if (has_word (b, k) && b->s.word[k]) memcpy (bytes + word_at (b, k), &b->s.word[k], 4);
  if (b->rule->looks_at_reads) s.reads = b->s.reads;
  if (b->rule->looks_at_use) s.in_use = b->s.waiters > 0;
  return ir_rule_value (x, &s);
}
static bool holds (bench *b, const ir_rule_expr *x, bool otherwise) { return x ? value (b, x) != 0 : otherwise; }

static ir_fault fault_of (bench *b, const ir_misuse *x) {
  if (!holds (b, x->when, false)) return IR_FAULT_NONE;
  return holds (b, x->other, false) ? x->other_fault : x->fault;
}

static ir_fault found_fault (bench *b) {
  action a = action_of (&b->w.m, RUNNER);
  return misuse_of (&a).fault;
}

static void compare_words (bench *b) {
  uint32_t expected[IR_NUM_WORDS];
  memcpy (expected, b->s.word, sizeof expected);
  for (uint32_t k = 0; k < b->rule->num_effects; k++) {
    const ir_effect *e = &b->rule->effects[k];
    if (holds (b, e->when, true)) expected[e->word] = value (b, e->value);
  }
  uint32_t owner = word_at (b, IR_W_OWNER), state = word_at (b, IR_W_STATE);
  for (ir_word k = 0; k < IR_NUM_WORDS; k++) {
    if (!has_word (b, k) || (k == IR_W_STATE && state == owner)) continue;  // a spin lock has one word for both
    uint32_t found = (uint32_t) memory_read (&b->w.m, b->words_at + word_at (b, k), 4);
    if (k == IR_W_OWNER && state == owner && expected[IR_W_STATE]) expected[k] = expected[IR_W_STATE];
    assert_int_equal (found, expected[k]);
  }
}

static uint32_t holders (const bench *b) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot <= OTHERS; slot++) count += b->w.m.threads[slot].held.count;
  return count;
}

static void compare_holders (bench *b, uint32_t before) {
  bool all = b->rule->gives_all && holds (b, b->rule->gives, false);
  uint32_t given = holds (b, b->rule->gives, false) && before ? 1 : 0, taken = holds (b, b->rule->takes, false);
  assert_int_equal (holders (b), all ? 0 : before - given + taken);
}

static void compare_waiters (bench *b) {
  const ir_rule *r = b->rule;
  uint32_t waiting = 0, woken = !holds (b, r->wakes, false)        ? 0
                                : b->sync->action == IR_A_WAKE_ONE ? (b->s.waiters > 0)
                                                                   : b->s.waiters;
  for (uint32_t slot = 1; slot <= OTHERS; slot++) waiting += b->w.m.threads[slot].waiting == b->address;
  assert_int_equal (waiting, b->s.waiters - woken);
  bool waits = holds (b, r->waits, false) && !(r->may_wake_alone && b->s.choice);
  assert_int_equal (b->w.m.threads[RUNNER].waiting, waits || (b->s.waits && !r->stops_waiting) ? b->address : 0);
}

// ---- the comparison ----------------------------------------------------------------------------------------
static void compare (bench *b) {
  enter (b);
  uint32_t before = holders (b);
  ir_fault for_ever = fault_of (b, &b->rule->for_ever);
  assert_int_equal (found_fault (b), for_ever ? for_ever : fault_of (b, &b->rule->misuse));
  bool enabled = holds (b, b->rule->enabled, true);
  assert_int_equal (blocked (&b->w, RUNNER), !enabled);
  if (!enabled) return;
  assert_int_equal (for_ever, IR_FAULT_NONE);
  go (&b->w, RUNNER, 1);
  compare_words (b);
  compare_holders (b, before);
  compare_waiters (b);
  if (b->rule->result && b->result.i != IR_NONE)
    assert_int_equal (value_of (&b->w, RUNNER, b->result), value (b, b->rule->result));
}

static void judge_and_rules_agree (void **state) {
  (void) state;
  for (ir_op op = 0; op < IR_NUM_OPS; op++) {
    if (!ir_rule_of (op)) continue;
    bench b;
    uint32_t compared = 0;
    bench_init (&b, op);
    do {
      if (!is_possible (&b)) continue;
      compare (&b);
      compared++;
    } while (next_state (&b));
    assert_true (compared > 0);
    world_release (&b.w);
  }
}

// Every operation on a synchronisation object has a rule.  An operation has a guard if and only if the facts say that
// it can block.
static void rules_are_complete (void **state) {
  (void) state;
  for (ir_op op = 0; op < IR_NUM_OPS; op++) {
    const ir_sync *s = ir_sync_of (op);
    const ir_rule *r = ir_rule_of (op);
    bool of_object = s->family >= IR_F_MUTEX && s->family <= IR_F_ONCE;
    assert_int_equal (of_object, r != NULL);
    assert_int_equal (of_object || s->family == IR_F_REGION, ir_op_table[op].group == 'S');
    if (!r) continue;
    assert_int_equal (s->blocks, r->enabled != NULL);
    assert_int_equal (ir_op_table[op].result == 'r', r->result != NULL);
    assert_int_not_equal (s->step, IR_STEP_NONE);
  }
}

TEST_MAIN (cmocka_unit_test (rules_are_complete), cmocka_unit_test (judge_and_rules_agree))
