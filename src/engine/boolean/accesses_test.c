// Checks what steps access, on a program whose locations are counted by hand.
#include <string.h>

#include "boolean/text_test.h"
#include "engine/boolean/accesses.h"

static bool has (const accesses *a, access_set s, uint32_t l, const char *name) {
  for (uint32_t v = 0; v < a->program->vars.count; v++)
    if (!strcmp (a->program->vars.data[v].name, name)) return accesses_at (a, s, l)[v / 64] >> v % 64 & 1;
  fail_msg ("no variable %s", name);
  return false;
}

static void steps (void **state) {
  (void) state;
  // 0: start_thread   1: a := b   2: assume c   3: end_thread   4: d, b := 1, x constrain d'   then: end_thread
  bp_program *p = program_of (
      "decl a, b, c, d; void main() begin decl x; start_thread goto L; a := b; assume(c); end_thread; L: d, b := "
      "1, x constrain (d' | c); end");
  accesses a;
  accesses_init (&a, p);
  assert_int_equal (p->locs.data[4].kind, BP_ASSIGN);
  assert_true (has (&a, STEP_READS, 1, "b") && has (&a, STEP_WRITES, 1, "a"));
  assert_false (has (&a, STEP_WRITES, 1, "b") || has (&a, STEP_READS, 1, "c") || has (&a, STEP_WAITS, 1, "b"));
  assert_true (has (&a, STEP_WAITS, 2, "c") && has (&a, STEP_WAITS, 4, "c"));
  assert_false (has (&a, STEP_READS, 4, "x"));  // a local
  accesses_release (&a);
  bp_program_free (p);
}

static void a_goto_reads_what_its_assumes_read (void **state) {
  (void) state;
  bp_program *p = program_of ("decl a, b; void main() begin goto L, M; L: assume(a); M: assume(b); end");
  accesses a;
  accesses_init (&a, p);
  assert_int_equal (p->locs.data[0].kind, BP_GOTO);
  assert_true (has (&a, STEP_WAITS, 0, "a") && has (&a, STEP_READS, 0, "b"));
  accesses_release (&a);
  bp_program_free (p);
}

TEST_MAIN (cmocka_unit_test (steps), cmocka_unit_test (a_goto_reads_what_its_assumes_read))
