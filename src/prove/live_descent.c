// Checks a proof by descent, by queries about single steps from any state: is a reset state in no block, does a step
// lead up?
//
// Each query has a solver of its own with only its own part of the circuit: the diagrams of other blocks would slow it
// down (bakery algorithm, 59 blocks: 5 s instead of 9 s for all but the last).
#include "encode/cnf.h"
#include "prove/prove_live.h"

typedef struct descent_query {
  const netlist *descent;
  sat *solver;
  cnf cnf;
} descent_query;

static void let (descent_query *q, aig_lit x) {
  int holds = cnf_literal (&q->cnf, x);
  sat_add_clause (q->solver, &holds, 1);
}

static void let_latches_be_reset (descent_query *q) {
  for (uint32_t k = 0; k < q->descent->latches.count; k++) {
    const net_latch *latch = &q->descent->latches.data[k];
    if (latch->reset != NET_ANY) let (q, latch->reset == NET_ONE ? latch->now : aig_not (latch->now));
  }
}

static bool is_never_true (const netlist *descent, uint32_t bad, bool at_reset, const budget *b) {
  descent_query q = {.descent = descent, .solver = sat_new_plain (b)};
  cnf_init (&q.cnf, &descent->graph, q.solver);
  let (&q, descent->bads.data[bad].holds);
  for (uint32_t k = 0; k < descent->constraints.count; k++) let (&q, descent->constraints.data[k].holds);
  if (at_reset) let_latches_be_reset (&q);
  bool good = sat_solve (q.solver, NULL, 0) == SAT_NO;
  cnf_release (&q.cnf);
  sat_free (q.solver);
  return good;
}

bool live_descends (const netlist *n, uint32_t justice, const prove_certificate *c, const budget *b) {
  netlist descent;
  if (!live_by_descent (n, justice, c, &descent)) return false;
  uint32_t blocks = c->blocks.count;
  bool good = is_never_true (&descent, blocks, true, b);
  for (uint32_t k = 0; good && k < blocks; k++) good = is_never_true (&descent, k, false, b);
  netlist_release (&descent);
  return good;
}
