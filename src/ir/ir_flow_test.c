// Order, predecessors and dominators of random procedures, compared with their definitions.
#include "base/test.h"
#include "ir/ir_flow_impl.h"
#include "ir/random_program_test.h"

// Marks the locations that are reachable from the entry on paths without the location `without`.
static void reach (const ir_program *p, ir_loc at, uint32_t without, bool *seen) {
  if (at.i == IR_NONE || at.i == without || seen[at.i]) return;
  seen[at.i] = true;
  const ir_loc_data *l = ir_loc_at (p, at);
  for (uint32_t e = l->first_edge; e < l->first_edge + l->num_edges; e++) reach (p, p->edges.data[e].to, without, seen);
}

static uint32_t count_in (const ir_program *p, const bool *reached, ir_loc l) {
  uint32_t n = 0;
  for (uint32_t e = 0; e < p->edges.count; e++) n += p->edges.data[e].to.i == l.i && reached[p->edges.data[e].from.i];
  return n;
}

static void check_proc (const ir_program *p, ir_flow *flow, ir_proc f) {
  ir_loc entry = ir_proc_at (p, f)->entry;
  bool *all = calloc (p->locs.count, sizeof *all), *some = calloc (p->locs.count, sizeof *some);
  ir_flow_compute (flow, f);
  reach (p, entry, IR_NONE, all);
  uint32_t reachable = 0;
  for (uint32_t l = 0; l < p->locs.count; l++) reachable += all[l];
  assert_int_equal (flow->order.count, reachable);
  assert_int_equal (flow->order.data[0].i, entry.i);
  for (uint32_t a = 0; a < p->locs.count; a++) {
    assert_true (all[a] == (flow->rank.data[a] != IR_NONE));
    if (!all[a]) continue;
    ir_edge in = ir_flow_only_in (flow, (ir_loc){a});
    assert_true ((in.i != IR_NONE) == (a != entry.i && count_in (p, all, (ir_loc){a}) == 1));
    if (in.i != IR_NONE) assert_int_equal (ir_edge_at (p, in)->to.i, a);
    memset (some, 0, p->locs.count * sizeof *some);
    reach (p, entry, a, some);
    for (uint32_t b = 0; b < p->locs.count; b++)
      if (all[b]) assert_true (ir_flow_dominates (flow, (ir_loc){a}, (ir_loc){b}) == !some[b]);
  }
  free (all);
  free (some);
}

static void random_procedures (void **state) {
  (void) state;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    ir_program *p = random_program (seed);
    ir_flow flow;
    ir_flow_init (&flow, p);
    for (uint32_t f = 0; f < p->procs.count; f++) check_proc (p, &flow, (ir_proc){f});
    ir_flow_release (&flow);
    ir_program_free (p);
  }
}

TEST_MAIN (cmocka_unit_test (random_procedures))
