// Checks places of locals: shared where that does no harm, and only there.
#include <string.h>

#include "boolean/text_test.h"
#include "engine/boolean/symbolic.h"

static uint32_t place_of (const state_layout *l, const char *name) {
  for (uint32_t v = 0; v < l->program->vars.count; v++)
    if (!strcmp (l->program->vars.data[v].name, name)) return l->number[v];
  fail_msg ("no variable %s", name);
  return 0;
}

static void one_after_the_other_share (void **state) {
  (void) state;
  bp_program *p =
      program_of ("decl g; void main() begin decl a, b, c; a := g; g := a; b := g; c := b; g := b & c; end");
  state_layout l;
  state_layout_init (&l, p);
  assert_int_equal (l.num_globals, 1);
  assert_int_equal (l.num_locals, 2);
  assert_int_equal (place_of (&l, "a"), place_of (&l, "b"));
  assert_int_not_equal (place_of (&l, "b"), place_of (&l, "c"));
  state_layout_release (&l);
  bp_program_free (p);
}

// No thread reads the value of `b`, but assigning it must not change `a`.
static void what_is_assigned_needs_a_place (void **state) {
  (void) state;
  bp_program *p = program_of ("decl g; void main() begin decl a, b; a := g; b := !g; g := a; end");
  state_layout l;
  state_layout_init (&l, p);
  assert_int_not_equal (place_of (&l, "a"), place_of (&l, "b"));
  for (uint32_t at = 0; at < p->locs.count; at++) assert_false (layout_slot_is_live (&l, at, place_of (&l, "b")));
  state_layout_release (&l);
  bp_program_free (p);
}

// A new thread gets the values that it reads, whatever its creator does with its own places.
static void arguments_of_new_threads_keep_their_places (void **state) {
  (void) state;
  bp_program *p =
      program_of ("decl g; void main() begin decl a, b, c; a, b := g, !g; start_thread goto L; c := b; g := "
                  "c; end_thread; L: g := a; end");
  state_layout l;
  state_layout_init (&l, p);
  assert_int_not_equal (place_of (&l, "a"), place_of (&l, "b"));
  assert_int_equal (l.num_locals, 2);
  state_layout_release (&l);
  bp_program_free (p);
}

TEST_MAIN (cmocka_unit_test (one_after_the_other_share), cmocka_unit_test (what_is_assigned_needs_a_place),
           cmocka_unit_test (arguments_of_new_threads_keep_their_places))
