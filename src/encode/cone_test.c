// Cones: order, and copies against truth tables.
#include "base/test.h"
#include "encode/cone.h"
#include "encode/table_test.h"

static void operands_come_first (void **state) {
  (void) state;
  aig g;
  cone c = {0};
  aig_init (&g);
  aig_lit a = aig_input (&g), b = aig_input (&g), d = aig_input (&g), ab = aig_and (&g, a, b),
          all = aig_and (&g, ab, aig_not (d));
  aig_and (&g, a, d);  // not in the cone
  cone_begin (&c, &g);
  cone_add (&c, &g, AIG_TRUE);
  cone_add (&c, &g, all);
  cone_add (&c, &g, aig_not (ab));
  assert_int_equal (c.nodes.count, 5);
  assert_int_equal (vec_last (&c.nodes), all.i / 2);
  for (uint32_t i = 0; i < 5; i++) assert_true (c.nodes.data[i] != ab.i / 2 || i >= 2);
  cone_begin (&c, &g);
  assert_int_equal (c.nodes.count, 0);
  cone_release (&c);
  aig_release (&g);
}

// Copies f (x0, ..., x3) with a function in place of each input: the table of the copy is the table of f at the values
// of these functions.
static void copies_are_compositions (void **state) {
  (void) state;
  rng r = {7};
  for (int round = 0; round < 300; round++) {
    aig g;
    cone c = {0};
    aig_lit x[4], y[4];
    aig_init (&g);
    for (int i = 0; i < 4; i++) x[i] = aig_input (&g);
    for (int i = 0; i < 4; i++) y[i] = random_function (&r, &g, x, 4, 2);
    aig_lit f = random_function (&r, &g, x, 4, 4);
    uint64_t table = table_of (&g, f);
    cone_begin (&c, &g);
    cone_add (&c, &g, f);
    for (int i = 0; i < 4; i++) cone_set (&c, x[i].i / 2, y[i]);
    cone_copy (&c, &g, &g);
    uint64_t copy = table_of (&g, cone_image (&c, f));
    for (unsigned at = 0; at < 16; at++) {
      unsigned there = 0;
      for (int i = 0; i < 4; i++) there |= (unsigned) (table_of (&g, y[i]) >> at & 1) << i;
      assert_int_equal (copy >> at & 1, table >> there & 1);
    }
    cone_release (&c);
    aig_release (&g);
  }
}

TEST_MAIN (cmocka_unit_test (operands_come_first), cmocka_unit_test (copies_are_compositions))
