// Runs that break formulas: accepted if they do, refused if the loop does not lead back, is not fair, or the formula
// holds.
#include "verdict/verdict_test.h"

// Thread 0: x = 1, x = 0, for ever.  Thread 1: y = 1, then it ends.  Each round of thread 0 writes a register that is
// not read any more when the round is over, and makes an object on the stack.
static const char sample[] = "lockstep-ir 1 pointer_bits 64 offset_bits 32 file \"a.c\"\n"
                             "type t0 int \"int\" : 4 bytes\n"
                             "function #1 main : 0 bytes\n"
                             "function #2 other : 0 bytes\n"
                             "function #3 pass : 0 bytes\n"
                             "global #4 x : 4 bytes align 4 type t0\n"
                             "global #5 y : 4 bytes align 4 type t0\n"
                             "global #6 count : 4 bytes align 4 type t0\n"
                             "global #7 t : 8 bytes align 8\n"
                             "start &main\n"
                             "proc main = #1 () @\"a.c\":1:0 entry L0 { regs r0:32\n"
                             "  L0: r0 = thread_create &t, &other, 0:64 @2:1 -> L1\n"
                             "  L1: call &pass @3:1 -> L1 }\n"
                             "proc other = #2 (r0:64 \"a\") @\"a.c\":5:0 entry L2 {\n"
                             "  L2: store.4 &y, 1:32 @6:1 -> L3 L3: return @7:1 }\n"
                             "proc pass = #3 () @\"a.c\":9:0 entry L4 { regs r0:64, r1:32\n"
                             "  L4: r0 = alloc stack 4:64 @10:1 -> L5\n"
                             "  L5: store.4 r0, 7:32 @11:1 -> L6\n"
                             "  L6: store.4 &x, 1:32 @12:1 -> L7\n"
                             "  L7: r1 = load.4 r0 @13:1 -> L8\n"
                             "  L8: store.4 &x, 0:32 @14:1 -> L9\n"
                             "  L9: return @15:1 }\n";

enum { PASS = 7 /* edges */ };

typedef struct setting {
  ir_program *program;
  verdict v;
  temporal formula;
  goal goal;
  const char *why;
} setting;

static void set_up (setting *s, const char *formula) {
  char *error = NULL;
  ltl_error wrong = {0};
  *s = (setting){.program = ir_parse (sample, "t.ir", &error)};
  if (!s->program || !ir_check (s->program, &error)) fail_msg ("%s", error);
  verdict_init (&s->v);
  if (!temporal_init (&s->formula, s->program, formula, &wrong)) fail_msg ("%s", wrong.message);
}

static void tear_down (setting *s) {
  for (uint32_t k = 0; k < s->goal.steps.count; k++) vec_release (&s->goal.steps.data[k].held);
  vec_release (&s->goal.steps);
  vec_release (&s->goal.locations);
  temporal_release (&s->formula);
  verdict_release (&s->v);
  ir_program_free (s->program);
}

// parts: pairs of thread and edges, ended by {0, 0}.
static bool confirm (setting *s, const schedule_part *parts, uint64_t loop_from, bool fair) {
  semantics semantics = {0};
  claim c = {.property = IR_P_LOCKS, .is_run = true, .loop_from = loop_from};
  for (; parts->edges; parts++) schedule_add (&c.schedule, parts->thread, parts->edges);
  bool good = verdict_confirm_run (&s->v, s->program, &semantics, &s->formula, fair, &c, &s->goal, &s->why);
  schedule_release (&c.schedule);
  return good;
}

static void must_be_refused (const char *formula, const schedule_part *parts, uint64_t loop_from, bool fair,
                             const char *why) {
  setting s;
  set_up (&s, formula);
  if (confirm (&s, parts, loop_from, fair)) fail_msg ("%s: believed", formula);
  if (!strstr (s.why, why)) fail_msg ("%s: %s", formula, s.why);
  assert_int_equal (s.goal.steps.count, 0);
  tear_down (&s);
}

static const schedule_part alone[] = {{0, 1 + PASS}, {0, 0}}, together[] = {{0, 1}, {1, 2}, {0, PASS}, {0, 0}},
                           half[] = {{0, PASS}, {0, 0}}, twice[] = {{0, 1 + 2 * PASS}, {0, 0}},
                           turns[] = {{0, 1 + PASS}, {1, 1}, {0, PASS}, {0, 0}};

// The stack object has another number in each round, and r1 of the frame is gone.
static void a_loop_is_believed (void **state) {
  (void) state;
  setting s;
  set_up (&s, "F y");
  assert_true (confirm (&s, alone, 1, false));
  assert_false (s.goal.stays);
  assert_int_equal (s.goal.loop_step, 1);
  assert_string_equal (s.goal.message, "a run breaks `F y`: steps repeat for ever");
  assert_int_equal (s.goal.locations.count, 2);
  tear_down (&s);
  set_up (&s, "F G x");
  assert_true (confirm (&s, twice, 1 + PASS, false));
  tear_down (&s);
  set_up (&s, "F G !x");
  assert_true (confirm (&s, together, 3, true));
  bool noted = false;
  for (uint32_t k = 0; k < s.goal.steps.count; k++)
    noted |= s.goal.steps.data[k].note && !strcmp (s.goal.steps.data[k].note, "x: true");
  assert_true (noted);
  tear_down (&s);
}

static void other_loops_are_refused (void **state) {
  (void) state;
  must_be_refused ("F y", half, 1, false, "the loop does not lead back: where threads stand changed");
  must_be_refused ("F y", turns, 1 + PASS, false, "the loop does not lead back: memory changed");
  must_be_refused ("F y", alone, 1, true, "the loop is not fair: thread 1 could always move");
  must_be_refused ("F y", together, 3, true, "the formula holds on this run");
  must_be_refused ("F !y", alone, 1, false, "the formula holds on this run");
  must_be_refused ("F y", alone, 1 + PASS, false, "thread 0 can still move");
  must_be_refused ("F y", alone, 2 + PASS, false, "the claim is no run");
  must_be_refused ("F y", (schedule_part[]){{0, 1}, {2, 1}, {0, 0}}, 1, false, "thread 2 cannot step");
  must_be_refused ("F ended(other)", (schedule_part[]){{0, 1 + PASS}, {0, 0}}, 0, false, "the loop does not lead back");
}

TEST_MAIN (cmocka_unit_test (a_loop_is_believed), cmocka_unit_test (other_loops_are_refused))
