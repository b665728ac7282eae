// Small graphs by hand, and random ones against the definition: a number is live if some path without a kill leads
// to a read.
#include "base/dataflow.h"

#include "base/rng.h"
#include "base/test.h"

// x = ...; while (c) { use (x); x = y; }
static void a_loop_keeps_what_it_reads (void **state) {
  (void) state;
  enum { X, Y, C };
  dataflow d;
  dataflow_init (&d, 5, 3);
  dataflow_edge (&d, 0, 1), dataflow_kill (&d, X);
  dataflow_read (&d, 1, C);
  dataflow_edge (&d, 1, 2);
  dataflow_edge (&d, 1, 4);
  dataflow_read (&d, 2, X);
  dataflow_edge (&d, 2, 3);
  dataflow_read (&d, 3, Y);
  dataflow_edge (&d, 3, 1), dataflow_kill (&d, X);
  dataflow_solve (&d);
  assert_false (dataflow_is_live (&d, 0, X));
  assert_true (dataflow_is_live (&d, 0, Y));
  assert_true (dataflow_is_live (&d, 0, C));
  assert_true (dataflow_is_live (&d, 1, X));
  assert_false (dataflow_is_live (&d, 3, X));
  assert_int_equal (*dataflow_live_at (&d, 4), 0);
  dataflow_release (&d);
}

static void empty_graphs_are_solved (void **state) {
  (void) state;
  dataflow d;
  dataflow_init (&d, 0, 0);
  dataflow_solve (&d);
  dataflow_release (&d);
  dataflow_init (&d, 2, 200);
  dataflow_read (&d, 1, 199);
  dataflow_solve (&d);
  assert_true (dataflow_is_live (&d, 1, 199));
  assert_false (dataflow_is_live (&d, 0, 199));
  dataflow_release (&d);
}

enum { NODES = 12, NUMBERS = 70, ARCS = 20 };
typedef struct random_arc {
  uint32_t from, to, kill[2];
} random_arc;

static void find_live (const random_arc *arcs, uint32_t number, bool *live) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < ARCS; k++) {
      if (live[arcs[k].from] || !live[arcs[k].to] || arcs[k].kill[0] == number || arcs[k].kill[1] == number) continue;
      live[arcs[k].from] = changed = true;
    }
  }
}

static void random_graphs_have_the_defined_sets (void **state) {
  (void) state;
  rng random = {1};
  for (uint32_t round = 0; round < 200; round++) {
    dataflow d;
    random_arc arcs[ARCS];
    bool live[NUMBERS][NODES] = {{0}};
    dataflow_init (&d, NODES, NUMBERS);
    for (uint32_t k = 0; k < 40; k++) {
      uint32_t node = (uint32_t) rng_below (&random, NODES), number = (uint32_t) rng_below (&random, NUMBERS);
      dataflow_read (&d, node, number);
      live[number][node] = true;
    }
    for (uint32_t k = 0; k < ARCS; k++) {
      arcs[k].from = (uint32_t) rng_below (&random, NODES), arcs[k].to = (uint32_t) rng_below (&random, NODES);
      dataflow_edge (&d, arcs[k].from, arcs[k].to);
      for (uint32_t j = 0; j < 2; j++) {
        arcs[k].kill[j] = (uint32_t) rng_below (&random, NUMBERS);
        dataflow_kill (&d, arcs[k].kill[j]);
      }
    }
    dataflow_solve (&d);
    for (uint32_t x = 0; x < NUMBERS; x++) {
      find_live (arcs, x, live[x]);
      for (uint32_t n = 0; n < NODES; n++) assert_int_equal (dataflow_is_live (&d, n, x), live[x][n]);
    }
    dataflow_release (&d);
  }
}

TEST_MAIN (cmocka_unit_test (a_loop_keeps_what_it_reads), cmocka_unit_test (empty_graphs_are_solved),
           cmocka_unit_test (random_graphs_have_the_defined_sets))
