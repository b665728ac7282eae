// Places of locals: shared where that does no harm, and only there.
#include <string.h>

#include "boolean/text_test.h"
#include "engine/boolean/symbolic.h"

static uint32_t place_of (const layout *l, const char *name) {
  for (uint32_t v = 0; v < l->program->vars.count; v++)
    if (!strcmp (l->program->vars.data[v].name, name)) return l->number[v];
  fail_msg ("no variable %s", name);
  return 0;
}

static void one_after_the_other_share (void **state) {
  (void) state;
  bp_program *p =
      program_of ("decl g; void main() begin decl a, b, c; a := g; g := a; b := g; c := b; g := b & c; end");
  layout l;
  layout_init (&l, p);
  assert_int_equal (l.num_globals, 1);
  assert_int_equal (l.num_locals, 2);
  assert_int_equal (place_of (&l, "a"), place_of (&l, "b"));
  assert_int_not_equal (place_of (&l, "b"), place_of (&l, "c"));
  layout_release (&l);
  bp_program_free (p);
}

// The value of `b` is wanted by nobody, but assigning it must not hurt `a`.
static void what_is_assigned_needs_a_place (void **state) {
  (void) state;
  bp_program *p = program_of ("decl g; void main() begin decl a, b; a := g; b := !g; g := a; end");
  layout l;
  layout_init (&l, p);
  assert_int_not_equal (place_of (&l, "a"), place_of (&l, "b"));
  for (uint32_t at = 0; at < p->locs.count; at++) assert_false (layout_slot_is_live (&l, at, place_of (&l, "b")));
  layout_release (&l);
  bp_program_free (p);
}

// A new thread gets what it reads, whatever its creator does with its own places.
static void what_is_handed_over_stays_apart (void **state) {
  (void) state;
  bp_program *p =
      program_of ("decl g; void main() begin decl a, b, c; a, b := g, !g; start_thread goto L; c := b; g := "
                  "c; end_thread; L: g := a; end");
  layout l;
  layout_init (&l, p);
  assert_int_not_equal (place_of (&l, "a"), place_of (&l, "b"));
  assert_int_equal (l.num_locals, 2);
  layout_release (&l);
  bp_program_free (p);
}

TEST_MAIN (cmocka_unit_test (one_after_the_other_share), cmocka_unit_test (what_is_assigned_needs_a_place),
           cmocka_unit_test (what_is_handed_over_stays_apart))
