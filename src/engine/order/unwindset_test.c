// The list of --unwindset: what each entry sets, and the messages about bad entries.
#include "engine/order/unwindset.h"

#include <string.h>

#include "base/test.h"

// Two loops in `f`, at lines 5 and 9, the second one inside of a third loop; and one loop in a model, which no list can
// name.
static const char text[] =
    "lockstep-ir 1 pointer_bits 64 offset_bits 32 file \"t.c\"\n"
    "function #1 start : 0 bytes function #2 f : 0 bytes function #3 model : 0 bytes start &start\n"
    "proc start = #1 () internal entry L0 { regs r0:1 L0: exit 0:32 }\n"
    "proc f = #2 () @\"t.c\":4:0 entry L1 { regs r0:1\n"
    "L1: assume r0 @6:1 -> L2\nL1: assume (r0 ^ 1:1) @6:1 -> L3\nL2: nop @5:1 -> L1\n"
    "L3: nop @8:1 -> L4\nL4: assume r0 @10:1 -> L5\nL4: assume (r0 ^ 1:1) @10:1 -> L6\nL5: nop @9:1 -> L4\n"
    "L6: assume r0 @11:1 -> L3\nL6: assume (r0 ^ 1:1) @11:1 -> L7\nL7: return @12:1 }\n"
    "proc model = #3 () internal entry L8 { regs r0:1 L8: nop -> L8 }\n";
enum { FIRST = 1, OUTER = 3, INNER = 4, PROC_F = 1 };

typedef struct unwindset_fixture {
  ir_program *program;
  loop_nesting loops;
  unwindset set;
  strbuf why;
  bool good;
} unwindset_fixture;

static void unwindset_fixture_init (unwindset_fixture *s, const char *list) {
  char *error = NULL;
  *s = (unwindset_fixture){.program = ir_parse (text, "t.ir", &error)};
  if (!s->program) fail_msg ("%s", error);
  loops_init (&s->loops, s->program);
  s->good = unwindset_init (&s->set, &s->loops, list, &s->why);
}

static void unwindset_fixture_release (unwindset_fixture *s) {
  unwindset_release (&s->set);
  loops_release (&s->loops);
  strbuf_release (&s->why);
  ir_program_free (s->program);
}

static void assert_sets (const char *list, uint32_t first, uint32_t outer, uint32_t inner, uint32_t recursion) {
  unwindset_fixture s;
  unwindset_fixture_init (&s, list);
  if (!s.good) fail_msg ("%s", strbuf_text (&s.why));
  assert_int_equal (s.set.loop.data[FIRST], first);
  assert_int_equal (s.set.loop.data[OUTER], outer);
  assert_int_equal (s.set.loop.data[INNER], inner);
  assert_int_equal (s.set.recursion.data[PROC_F], recursion);
  unwindset_fixture_release (&s);
}

static void items_set_loops (void **state) {
  (void) state;
  assert_sets (NULL, UNWIND_FREELY, UNWIND_FREELY, UNWIND_FREELY, UNWIND_FREELY);
  assert_sets ("f:5:3", 3, UNWIND_FREELY, UNWIND_FREELY, UNWIND_FREELY);
  assert_sets ("f:9:0", UNWIND_FREELY, UNWIND_FREELY, 0, UNWIND_FREELY);
  assert_sets ("f:8:7,f:5:2", 2, 7, UNWIND_FREELY, UNWIND_FREELY);
  assert_sets ("f:4", 4, 4, 4, 4);
  assert_sets ("f:9:1,f:4", 4, 4, 1, 4);
  assert_sets ("f:4,f:9:1", 4, 4, 1, 4);
}

static void bad_items_are_named (void **state) {
  (void) state;
  static const char *const bad[][2] = {{"f", "`f` is neither"},
                                       {"f:", "`f:` is neither"},
                                       {"f:x", "`f:x` is neither"},
                                       {"f:5:", "`f:5:` is neither"},
                                       {"f:5:3:1", "`f:5:3:1` is neither"},
                                       {":3", "`:3` is neither"},
                                       {"f:3,", "`` is neither"},
                                       {"f:3 ", "`f:3 ` is neither"},
                                       {"f:-1", "`f:-1` is neither"},
                                       {"f:4294967295", "is neither"},
                                       {"f:99999999999999999999", "is neither"},
                                       {"f:6:3", "`f` has no loop at line 6"},
                                       {"f:5:1,g:3", "`g:3`: the program has no function `g`"},
                                       {"model:3", "the program has no function `model`"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    unwindset_fixture s;
    unwindset_fixture_init (&s, bad[k][0]);
    if (s.good) fail_msg ("%s should be refused", bad[k][0]);
    if (!strstr (strbuf_text (&s.why), bad[k][1])) fail_msg ("%s: %s", bad[k][0], strbuf_text (&s.why));
    assert_non_null (strstr (strbuf_text (&s.why), "the loops are f:5, f:8, f:9"));
    unwindset_fixture_release (&s);
  }
}

TEST_MAIN (cmocka_unit_test (items_set_loops), cmocka_unit_test (bad_items_are_named))
