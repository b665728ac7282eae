// Claims about programs with fixed invented values, translated to claims about the original: the added edges are gone,
// and loads of memory that holds any value choose the fixed value.
#include "base/test.h"
#include "verdict/verdict.h"

// x holds invented values, of which the low word is loaded; r1 is invented, r2 an input.  The check fails if r2 is 5.
static const char text[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 file \"a.c\"\n"
    "global #1 x : 8 bytes function #2 f : 0 bytes start &f\n"
    "proc f = #2 () @\"a.c\":1:1 entry L0 { regs r0:32, r1:32, r2:32\n"
    "L0: forget invented &x message \"x holds this\" @1:1 -> L1 L1: r0 = load.4 &x @2:1 -> L2\n"
    "L2: r1 = nondet number invented message \"result of `g`\" @3:1 -> L3 L3: r2 = nondet @4:1 -> L4\n"
    "L4: check assert (r2 != 5:32) message \"wrong\" @5:1 -> L5 L5: exit 0:32 @6:1 }\n";

// x, its assumption and its store; the load; r1 and its assumption; r2.
enum { EDGES_SETTLED = 1 + 3 + 1 + 2 + 1, EDGES = 4 };

static void claims_are_turned_back (void **state) {
  (void) state;
  char *error = NULL;
  ir_program *p = ir_parse (text, "t.ir", &error);
  if (!p || !ir_check (p, &error)) fail_msg ("%s", error);
  ir_program *settled = ir_settle (p, IR_SETTLE_ONES);
  semantics s = {.properties = 1u << IR_P_ASSERT, .max_threads = 2};
  claim c = {.property = IR_P_ASSERT, .num_threads = 1, .edge[0] = ir_loc_at (p, (ir_loc){4})->first_edge}, real;
  static const ir_value choices[] = {UINT64_MAX, UINT32_MAX, 5};  // of the fixed program: x, r1, r2
  schedule_add (&c.schedule, 0, EDGES_SETTLED);
  for (unsigned k = 0; k < 3; k++) vec_push (&c.schedule.choices, choices[k]);
  verdict v;
  goal g = {0};
  const char *why = "";
  verdict_init (&v);
  if (!verdict_confirm (&v, settled, &s, &c, &g, &why)) fail_msg ("%s", why);
  assert_true (verdict_unsettle (settled, p, &s, &c, &real));
  assert_int_equal (real.schedule.parts.data[0].edges, EDGES);
  assert_int_equal (real.schedule.choices.count, 3);  // x is chosen by its load
  for (unsigned k = 0; k < 3; k++) assert_int_equal ((uint32_t) real.schedule.choices.data[k], (uint32_t) choices[k]);
  if (!verdict_confirm (&v, p, &s, &real, &g, &why)) fail_msg ("%s", why);
  assert_int_equal (g.conditions.count, 0);
  c.schedule.choices.data[1] = 7;  // not the fixed value
  schedule_release (&real.schedule);
  assert_false (verdict_unsettle (settled, p, &s, &c, &real));
  schedule_release (&c.schedule);
  vec_push (&v.goals, g);
  verdict_release (&v);
  ir_program_free (settled);
  ir_program_free (p);
}

TEST_MAIN (cmocka_unit_test (claims_are_turned_back))
