// Reasons: the text begins with the place if there is one, and the kind orders them.
#include "ir/reason.h"

#include <stdlib.h>

#include "base/test.h"

static void reasons_have_places (void **state) {
  (void) state;
  char *error = NULL;
  ir_program *p =
      ir_parse ("lockstep-ir 1 pointer_bits 64 offset_bits 32 file \"a.c\" function #1 f : 0 bytes start &f\n"
                "proc f = #1 () @\"a.c\":1:1 entry L0 { L0: unsupported message \"inline assembly\" @3:1 -> L1 "
                "L1: exit 0:32 }\n",
                "t.ir", &error);
  if (!p) fail_msg ("%s", error);
  arena *a = arena_new ();
  const reason *r = reason_of_edge (a, p, (ir_edge){0}, (ir_edge){0}, "inline assembly");
  assert_string_equal (r->text, "a.c:3: unsupported: inline assembly");
  assert_int_equal (r->kind, REASON_UNSUPPORTED);
  assert_int_equal (r->place.line, 3);
  r = reason_at (a, p, (ir_edge){0}, "two atomic regions meet");
  assert_string_equal (r->text, "a.c:3: two atomic regions meet");
  assert_int_equal (r->kind, REASON_PLACE);
  assert_string_equal (reason_unsupported (a, p, (ir_edge){0}, NULL)->text, "a.c:3: unsupported: a construct");
  arena_free (a);
  ir_program_free (p);
}

// The reason for a spent budget has the kind and the words of the limit that was reached.
static void budgets_have_reasons (void **state) {
  (void) state;
  arena *a = arena_new ();
  budget b;
  budget_start (&b, 1000, 0);
  assert_null (reason_of_budget (a, &b));
  b.start -= 2000;
  const reason *r = reason_of_budget (a, &b);
  assert_int_equal (r->kind, REASON_TIME);
  assert_string_equal (r->text, "time limit of 1000 s");
  budget_start (&b, 0, 1);
  assert_int_equal (reason_of_budget (a, &b)->kind, REASON_MEMORY);
  arena_free (a);
}

static void most_useful_first (void **state) {
  (void) state;
  arena *a = arena_new ();
  const reason *internal = reason_internal (a, "%s", "a trace does not replay"),
               *engine = reason_printf (a, REASON_ENGINE, "too %s", "large"),
               *time = reason_new (a, REASON_TIME, "time limit of 2 s");
  assert_string_equal (internal->text, "internal error: a trace does not replay");
  assert_string_equal (engine->text, "too large");
  assert_true (reason_is_better (internal, engine) && reason_is_better (engine, time) && reason_is_better (time, NULL));
  assert_false (reason_is_better (NULL, NULL));
  assert_null (reason_new (a, REASON_BOUND, NULL));
  assert_true (reason_says_the_same (time, reason_copy (a, time)));
  assert_false (reason_says_the_same (time, reason_new (a, REASON_ENGINE, time->text)));
  arena_free (a);
}

TEST_MAIN (cmocka_unit_test (reasons_have_places), cmocka_unit_test (budgets_have_reasons),
           cmocka_unit_test (most_useful_first))
