// Names of a program in formulas: found, measured, or pointed at with the nearest one; and comparisons as integers.
#include "temporal/temporal.h"

#include <string.h>

#include "base/test.h"

static const char sample[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 file \"a.c\"\n"
    "type t0 int \"int\" : 4 bytes\n"
    "type t1 uint \"unsigned char\" : 1 bytes\n"
    "type t2 array \"unsigned char [3]\" : 3 bytes of t1 count 3\n"
    "type t3 struct \"struct {...}\" : 12 bytes { 0 \"f\" type t0, 4 \"list\" type t2, 8 \"bits\" type t5 }\n"
    "type t4 union \"pthread_mutex_t\" : 40 bytes { 0 \"__align\" type t0 }\n"
    "type t5 int \"int:3\" : 1 bytes\n"
    "type t6 float \"double\" : 8 bytes\n"
    "function #1 start : 0 bytes\n"
    "function #2 main : 0 bytes\n"
    "function #3 worker : 0 bytes\n"
    "global #4 x : 4 bytes align 4 type t0\n"
    "global #5 s : 12 bytes align 4 type t3\n"
    "global #6 m : 40 bytes align 8 type t4\n"
    "global #7 spin : 4 bytes align 4 type t0\n"
    "global #8 worker.calls : 4 bytes align 4 type t0\n"
    "global #9 d : 8 bytes align 8 type t6\n"
    "start &start\n"
    "proc start = #1 () internal entry L0 { L0: call &main @\"a.c\":1:0 -> L1 L1: exit 0:32 @\"a.c\":1:0 }\n"
    "proc main = #2 () @\"a.c\":2:0 entry L2 { regs r0:32 L2: store.4 &x, 1:32 @3:1 -> L3\n"
    "  L3 \"here\": r0 = spin_lock &spin @4:1 -> L4 L4: return @5:1 }\n"
    "proc worker = #3 () @\"a.c\":7:0 entry L5 { L5: return @8:1 }\n";

typedef struct setting {
  ir_program *program;
  temporal t;
  ltl_error error;
  bool good;
} setting;

static setting set_up (const char *text) {
  char *why = NULL;
  setting s = {.program = ir_parse (sample, "t.ir", &why)};
  if (!s.program) fail_msg ("%s", why);
  s.good = temporal_init (&s.t, s.program, text, &s.error);
  return s;
}

static void tear_down (setting *s) {
  temporal_release (&s->t);
  ir_program_free (s->program);
}

static setting must (const char *text) {
  setting s = set_up (text);
  if (!s.good) fail_msg ("%s: %s", text, s.error.message);
  return s;
}

static void places_and_threads (void **state) {
  (void) state;
  setting s = must ("G at(worker, 8) || at(here) U at(0, a.c:3) && F ended(main)");
  const temporal_atom *a = s.t.atoms;
  assert_int_equal (s.t.num_atoms, 4);
  assert_int_equal (a[0].threads.which, THREADS_STARTED_IN);
  assert_true (a[0].threads.procs[2] && !a[0].threads.procs[1]);
  assert_true (a[0].locs[5] && !a[0].locs[3]);
  assert_int_equal (a[1].threads.which, THREADS_ALL);
  assert_true (a[1].locs[3] && !a[1].locs[2]);
  assert_int_equal (a[2].threads.which, THREADS_NUMBERED);
  assert_int_equal (a[2].threads.slot, 0);
  assert_true (a[2].locs[2]);
  assert_true (a[3].threads.procs[1]);
  assert_string_equal (a[0].text, "at(worker, 8)");
  assert_int_equal (s.t.remembers, 8);
  assert_false (s.t.has_next);
  tear_down (&s);
}

static void variables_and_locks (void **state) {
  (void) state;
  setting s = must ("X s.list[2] > x || worker.calls || locked(m) || holds(worker, spin) || x <= -0x10");
  const temporal_atom *a = s.t.atoms;
  assert_true (s.t.has_next);
  assert_int_equal (a[0].left.object.i, 5);
  assert_int_equal (a[0].left.offset, 6);
  assert_int_equal (a[0].left.bytes, 1);
  assert_true (!a[0].left.is_signed && a[0].right.is_signed);
  assert_int_equal (a[0].relation, RELATION_GT);
  assert_int_equal (a[1].left.object.i, 8);
  assert_int_equal (a[1].relation, RELATION_NE);
  assert_true (a[1].right.is_constant && a[1].right.constant == 0);
  assert_int_equal (a[2].lock.kind, IR_F_MUTEX);
  assert_int_equal (a[3].lock.kind, IR_F_SPIN);
  assert_true (a[4].right.constant == -16);
  tear_down (&s);
}

static void values_are_integers (void **state) {
  (void) state;
  temporal_operand byte = {.bytes = 1}, word = {.bytes = 4, .is_signed = true}, wide = {.bytes = 8};
  assert_true (temporal_value (&byte, 0xFFFF) == 255);
  assert_true (temporal_value (&word, 0xFFFFFFFF) == -1);
  assert_true (temporal_value (&wide, UINT64_MAX) == (__int128) UINT64_MAX);
  assert_true (temporal_compare (RELATION_LT, temporal_value (&word, 0xFFFFFFFF), temporal_value (&wide, UINT64_MAX)));
  assert_true (temporal_compare (RELATION_GE, 3, 3) && !temporal_compare (RELATION_GT, 3, 3));
}

static void unknown_names_are_pointed_at (void **state) {
  (void) state;
  static const struct {
    const char *text;
    uint32_t column;
    const char *part;
  } rows[] = {
      {"G at(wroker, 8)", 3, "no function `wroker`; did you mean `worker`?"},
      {"G at(her)", 3, "did you mean `here`?"},
      {"F at(99)", 3, "no operation at line `99`"},
      {"F y == 3", 3, "`y`"},
      {"F s.lst", 3, "no member `lst`; did you mean `list`?"},
      {"F s.list[3]", 3, "from 0 to 2"},
      {"F x[0]", 3, "not an array"},
      {"F s", 3, "neither an integer nor a pointer"},
      {"F s.bits", 3, "bit-field"},
      {"F d", 3, "floating-point"},
      {"F x == 3y", 3, "not a number"},
      {"true && locked(x)", 9, "is not a lock"},
      {"F holds(m)", 3, "needs a thread"},
      {"F at(128, here)", 3, "from 0 to 127"},
      {"F start.x", 3, "`start`"},
  };
  for (uint32_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    setting s = set_up (rows[k].text);
    assert_false (s.good);
    if (!strstr (s.error.message, rows[k].part) || s.error.column != rows[k].column)
      fail_msg ("%s: %u: %s", rows[k].text, s.error.column, s.error.message);
    tear_down (&s);
  }
}

static void the_automaton_is_of_the_negation (void **state) {
  (void) state;
  setting s = must ("F x");
  assert_true (temporal_add_automaton (&s.t));
  uint64_t never[] = {0}, once[] = {0, 1};
  assert_false (ltl_holds_on (s.t.pool, s.t.formula, never, 1, 0));
  assert_true (ltl_holds_on (s.t.pool, s.t.formula, once, 2, 1));
  for (uint32_t k = 0; k < s.t.broken.edges.count; k++) assert_false (buchi_enabled (&s.t.broken.edges.data[k], 1));
  tear_down (&s);
}

TEST_MAIN (cmocka_unit_test (places_and_threads), cmocka_unit_test (variables_and_locks),
           cmocka_unit_test (values_are_integers), cmocka_unit_test (unknown_names_are_pointed_at),
           cmocka_unit_test (the_automaton_is_of_the_negation))
