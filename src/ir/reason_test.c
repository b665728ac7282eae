// Reasons begin with a place where there is one, and are told apart by their form.
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
  assert_string_equal (reason_of_edge (a, p, (ir_edge){0}, (ir_edge){0}, "inline assembly"),
                       "a.c:3: unsupported: inline assembly");
  assert_string_equal (reason_at (a, p, (ir_edge){0}, "two atomic regions meet"), "a.c:3: two atomic regions meet");
  assert_string_equal (reason_unsupported (a, p, (ir_edge){0}, NULL), "a.c:3: unsupported: a construct");
  arena_free (a);
  ir_program_free (p);
}

static void kinds_are_told_apart (void **state) {
  (void) state;
  static const struct {
    const char *text;
    reason_kind kind;
  } cases[] = {{"a.c:3: unsupported: inline assembly \"x: y\"", REASON_UNSUPPORTED},
               {"dir:1/a b.c:12: unsupported: a construct", REASON_UNSUPPORTED},
               {"a.c:3: executions end at a memory error", REASON_PLACE},
               {"?:0: executions end at a memory error", REASON_PLACE},
               {"unsupported: a construct", REASON_ENGINE},
               {"the list f:3:1 is too long", REASON_ENGINE},
               {"time limit of 2 s", REASON_BUDGET},
               {"memory limit of 20 MB", REASON_BUDGET},
               {"out of memory", REASON_BUDGET},
               {"interrupted", REASON_BUDGET},
               {"internal error: a trace does not replay: a.c:3: x", REASON_INTERNAL},
               {NULL, REASON_NONE}};
  for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
    assert_int_equal (reason_kind_of (cases[k].text), cases[k].kind);
}

TEST_MAIN (cmocka_unit_test (reasons_have_places), cmocka_unit_test (kinds_are_told_apart))
