// Which pairs of edges are candidates: those at the positions that were named, in either order, and all that concern
// library models.
#include "base/test.h"
#include "engine/suspects.h"

static ir_edge add_edge (ir_program *p, ir_proc f, const char *file, uint32_t line, uint32_t column) {
  ir_edge e = ir_add_edge (p, IR_RETURN, ir_add_loc (p, f), (ir_loc){IR_NONE});
  ir_edge_at (p, e)->pos = (ir_position){file, line, column};
  return e;
}

static void pairs_of_places (void **state) {
  (void) state;
  ir_program *p = ir_program_new ();
  ir_proc f = ir_add_proc (p, "f"), model = ir_add_proc (p, "memcpy");
  ir_proc_at (p, model)->internal = true;
  ir_edge a = add_edge (p, f, "a.c", 3, 1), b = add_edge (p, f, "a.c", 3, 7), c = add_edge (p, f, "b.c", 3, 1),
          nowhere = add_edge (p, f, NULL, 0, 0), inside = add_edge (p, model, "a.c", 3, 1);
  suspects s;
  suspects_init (&s, p);
  assert_false (suspects_have (&s, a, b));
  char copy[] = "a.c";  // names are compared, not their addresses
  suspects_add (&s, (ir_position){copy, 3, 1}, (ir_position){"b.c", 3, 1});
  assert_true (suspects_have (&s, a, c));
  assert_true (suspects_have (&s, c, a));
  assert_false (suspects_have (&s, a, b));
  assert_false (suspects_have (&s, b, c));
  assert_false (suspects_have (&s, a, a));
  assert_false (suspects_have (&s, a, nowhere));
  suspects_add (&s, (ir_position){0}, (ir_position){"a.c", 3, 7});
  assert_true (suspects_have (&s, nowhere, b));
  assert_true (suspects_have (&s, inside, b));
  assert_true (suspects_have (&s, a, inside));
  assert_true (suspects_have (NULL, a, b));
  suspects_release (&s);
  ir_program_free (p);
}

TEST_MAIN (cmocka_unit_test (pairs_of_places))
