// Liveness and atomic regions, on small programs with known numbers of locations.
#include <string.h>

#include "boolean/text_test.h"

static bool is_live (const bp_program *p, const dataflow *live, uint32_t l, const char *name) {
  for (uint32_t v = 0; v < p->vars.count; v++)
    if (!strcmp (p->vars.data[v].name, name)) return bp_is_live (live, (bp_loc){l}, (bp_var){v});
  fail_msg ("no variable %s", name);
  return false;
}

static void values_are_live_until_they_are_read (void **state) {
  (void) state;
  // 0: x := a   1: goto   2: assume b   3: a := x   4: goto 1 (by the loop)   then: assume !b
  bp_program *p = program_of ("decl a, b, c; void main() begin decl x, y; x := a; while b do a := x; od; c, y := *, x "
                              "constrain (c' & a'); end");
  dataflow live;
  bp_find_live (&live, p);
  assert_true (is_live (p, &live, 0, "a"));
  assert_true (is_live (p, &live, 0, "b"));
  assert_false (is_live (p, &live, 0, "x"));
  assert_false (is_live (p, &live, 0, "y"));
  assert_false (is_live (p, &live, 0, "c"));  // c' is the assigned value
  assert_true (is_live (p, &live, 1, "x"));
  assert_true (is_live (p, &live, 1, "a"));  // a' is a, where a is not assigned
  assert_false (is_live (p, &live, 3, "a"));
  dataflow_release (&live);
  bp_program_free (p);
}

static void new_threads_need_values (void **state) {
  (void) state;
  bp_program *p =
      program_of ("decl a; void main() begin decl x; start_thread goto L; x := 0; end_thread; L: a := x; end");
  dataflow live;
  bp_find_live (&live, p);
  assert_true (is_live (p, &live, 0, "x"));
  assert_false (is_live (p, &live, 1, "x"));
  dataflow_release (&live);
  bp_program_free (p);
}

static void regions_have_depths (void **state) {
  (void) state;
  static const uint16_t depths[] = {0, 1, 1, 2, 2, 1, 1, 0};
  bp_program *p = program_of ("void f() begin atomic_begin; skip; atomic_end; end\n"
                              "void main() begin atomic_begin; f(); atomic_end; end_thread; skip; end");
  for (uint32_t l = 0; l < 8; l++) assert_int_equal (p->locs.data[l].depth, depths[l]);
  assert_true (p->locs.data[7].reached);
  assert_false (p->locs.data[8].reached);
  bp_program_free (p);
}

TEST_MAIN (cmocka_unit_test (values_are_live_until_they_are_read), cmocka_unit_test (new_threads_need_values),
           cmocka_unit_test (regions_have_depths))
