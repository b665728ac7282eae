// Components against plain reachability on random graphs, and a chain that is too long for recursion.
#include "base/scc.h"

#include <stdbool.h>
#include <string.h>

#include "base/rng.h"
#include "base/test.h"
#include "base/vec.h"

enum { MOST_NODES = 12 };

typedef struct graph {
  uint32_t count;
  bool edge[MOST_NODES][MOST_NODES], reaches[MOST_NODES][MOST_NODES];
  uint32_t first[MOST_NODES + 1], targets[MOST_NODES * MOST_NODES], component[MOST_NODES];
} graph;

static void close_reachability (graph *g) {
  memcpy (g->reaches, g->edge, sizeof g->edge);
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t a = 0; a < g->count; a++)
      for (uint32_t b = 0; b < g->count; b++) g->reaches[a][b] |= g->reaches[a][k] && g->reaches[k][b];
}

static void random_graph (graph *g, rng *r) {
  *g = (graph){.count = 1 + rng_below (r, MOST_NODES)};
  uint32_t edges = rng_below (r, 2 * g->count + 1), used = 0;
  for (uint32_t k = 0; k < edges; k++) g->edge[rng_below (r, g->count)][rng_below (r, g->count)] = true;
  for (uint32_t a = 0; a < g->count; a++) {
    g->first[a] = used;
    for (uint32_t b = 0; b < g->count; b++)
      if (g->edge[a][b]) g->targets[used++] = b;
  }
  g->first[g->count] = used;
  close_reachability (g);
}

static void random_graphs (void **state) {
  (void) state;
  rng r = {7};
  for (unsigned n = 0; n < 5000; n++) {
    graph g;
    random_graph (&g, &r);
    scc_find (g.count, g.first, g.targets, g.component);
    for (uint32_t a = 0; a < g.count; a++)
      for (uint32_t b = 0; b < g.count; b++) {
        if (a == b) continue;
        assert_int_equal (g.component[a] == g.component[b], g.reaches[a][b] && g.reaches[b][a]);
        if (g.reaches[a][b]) assert_true (g.component[a] >= g.component[b]);
      }
  }
}

static void long_chain (void **state) {
  (void) state;
  enum { LENGTH = 1000000 };
  uint32_t *first = mem_zalloc (sizeof (uint32_t) * (LENGTH + 1)), *targets = mem_zalloc (sizeof (uint32_t) * LENGTH);
  uint32_t *component = mem_zalloc (sizeof (uint32_t) * LENGTH);
  for (uint32_t k = 0; k < LENGTH; k++) {
    first[k + 1] = k + 1;
    targets[k] = (k + 1) % LENGTH;
  }
  scc_find (LENGTH, first, targets, component);
  for (uint32_t k = 0; k < LENGTH; k++) assert_int_equal (component[k], 0);
  mem_free (first, sizeof (uint32_t) * (LENGTH + 1));
  mem_free (targets, sizeof (uint32_t) * LENGTH);
  mem_free (component, sizeof (uint32_t) * LENGTH);
}

TEST_MAIN (cmocka_unit_test (random_graphs), cmocka_unit_test (long_chain))
