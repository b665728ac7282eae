// ir_add_overflow_checks: a program with checks stops exactly where the plain one computes what C forbids.
#include "base/test.h"
#include "ir/random_program_test.h"

static void assert_checks (const char *expr, const char *const expected[]) {
  strbuf text = {0};
  strbuf_printf (&text,
                 "lockstep-ir 1 pointer_bits 64 offset_bits 32 function #1 f : 0 bytes start &f\n"
                 "proc f = #1 () entry L0 { regs r0:32, r1:32, r2:1 L0 \"here\": r0 = assign %s @\"a.c\":1:2 -> L1 L1: "
                 "exit 0:32 }",
                 expr);
  char *error = NULL;
  ir_program *p = ir_parse (strbuf_text (&text), "t.ir", &error);
  if (!p) fail_msg ("%s", error);
  ir_add_overflow_checks (p);
  if (!ir_check (p, &error)) fail_msg ("%s", error);
  ir_loc at = ir_proc_at (p, p->start)->entry;
  assert_string_equal (ir_loc_at (p, at)->label, "here");
  for (unsigned i = 0; expected[i]; i++) {
    ir_edge e = {ir_loc_at (p, at)->first_edge};
    strbuf_clear (&text);
    ir_print_expr (p, ir_arg (p, e, 0), &text);
    strbuf_printf (&text, ": %s", ir_edge_at (p, e)->message);
    assert_string_equal (strbuf_text (&text), expected[i]);
    assert_int_equal (ir_edge_at (p, e)->op, IR_CHECK);
    assert_int_equal (ir_edge_at (p, e)->aux, IR_P_OVERFLOW);
    assert_int_equal (ir_edge_at (p, e)->pos.line, 1);
    at = ir_edge_at (p, e)->to;
  }
  assert_int_equal (p->edges.data[ir_loc_at (p, at)->first_edge].op, IR_ASSIGN);
  strbuf_release (&text);
  ir_program_free (p);
}

#define EXPECT(...) ((const char *const[]){__VA_ARGS__, NULL})

static void each_operation_has_its_check (void **state) {
  (void) state;
  assert_checks ("(r0 +.nsw r1)", EXPECT ("((r0 saddo r1) ^ 1:1): signed overflow in addition"));
  assert_checks ("(r0 -.nsw r1)", EXPECT ("((r0 ssubo r1) ^ 1:1): signed overflow in subtraction"));
  assert_checks ("(0:32 -.nsw r1)", EXPECT ("((0:32 ssubo r1) ^ 1:1): signed overflow in negation"));
  assert_checks ("(r0 *.nsw r1)", EXPECT ("((r0 smulo r1) ^ 1:1): signed overflow in multiplication"));
  assert_checks ("(r0 u/ r1)", EXPECT ("(r1 != 0:32): division by zero"));
  assert_checks ("(r0 s% r1)", EXPECT ("(r1 != 0:32): division by zero",
                                       "((r0 != 0x80000000:32) | (r1 != -1:32)): signed overflow in division"));
  assert_checks ("(r0 s/ -1:32)", EXPECT ("(r0 != 0x80000000:32): signed overflow in division"));
  assert_checks ("(r0 << r1)", EXPECT ("(r1 u< 32:32): shift by too many bits"));
  assert_checks ("(r0 s>> 40:32)", EXPECT ("0:1: shift by too many bits"));
  assert_checks ("(0x7fffffff:32 +.nsw 1:32)", EXPECT ("0:1: signed overflow in addition"));
}

static void harmless_operations_have_none (void **state) {
  (void) state;
  static const char *const nothing[] = {NULL};
  assert_checks ("(r0 + r1)", nothing);
  assert_checks ("(r0 +.nuw r1)", nothing);
  assert_checks ("(r0 s/ 7:32)", nothing);
  assert_checks ("(r0 << 31:32)", nothing);
}

static void inner_operations_come_first_and_once (void **state) {
  (void) state;
  assert_checks ("((r0 +.nsw r1) *.nsw (r0 +.nsw r1))",
                 EXPECT ("((r0 saddo r1) ^ 1:1): signed overflow in addition",
                         "(((r0 +.nsw r1) smulo (r0 +.nsw r1)) ^ 1:1): signed overflow in multiplication"));
}

static void a_choice_guards_its_branches (void **state) {
  (void) state;
  assert_checks ("(r2 ? (r0 u/ r1) : (r0 u/ r0))",
                 EXPECT ("((r2 ^ 1:1) | (r1 != 0:32)): division by zero", "(r2 | (r0 != 0:32)): division by zero"));
}

static void random_programs_stop_where_they_overflow (void **state) {
  (void) state;
  unsigned overflows = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    ir_program *p = random_program (seed), *q = random_program (seed);
    ir_add_overflow_checks (q);
    char *error = NULL;
    if (!ir_check (q, &error)) fail_msg ("seed %u: %s", (unsigned) seed, error);
    for (int simplified = 0; simplified < 2; simplified++) {
      if (simplified) ir_simplify (q);
      for (uint32_t f = 0; f < p->procs.count; f++) {
        recording a, b;
        record_run (p, (ir_proc){f}, true, &a);
        record_run (q, (ir_proc){f}, false, &b);
        overflows += a.end == OVERFLOWED;
        uint32_t both = a.events.count < b.events.count ? a.events.count : b.events.count;
        for (uint32_t i = 0; i < both; i++)
          if (a.events.data[i].op != b.events.data[i].op || a.events.data[i].operands != b.events.data[i].operands)
            fail_msg ("seed %u: event %u differs", (unsigned) seed, i);
        bool whole = a.end != STOPPED && b.end != STOPPED;
        if (whole && (a.end != b.end || a.events.count != b.events.count))
          fail_msg ("seed %u: ends differently", (unsigned) seed);
        vec_release (&a.events);
        vec_release (&b.events);
      }
    }
    ir_program_free (p);
    ir_program_free (q);
  }
  assert_true (overflows > 500);
}

TEST_MAIN (cmocka_unit_test (each_operation_has_its_check), cmocka_unit_test (harmless_operations_have_none),
           cmocka_unit_test (inner_operations_come_first_and_once), cmocka_unit_test (a_choice_guards_its_branches),
           cmocka_unit_test (random_programs_stop_where_they_overflow))
