// Finds latches that are always equal or always opposite, by an induction over all of them at once: van Eijk,
// "Sequential equivalence checking without state space traversal" (1998).  Each latch that starts as 1 is complemented,
// so that all latches with a reset value start as 0.  Latches that random simulation does not distinguish, from each
// other or from the constant 0, are in one class.  The classes hold in all reachable states if every step under the
// constraints, from a state in which they hold, leads to a state in which they hold.  Latches that a step distinguishes
// are separated, and all queries are repeated until no class is split any more.
//
// No clauses describe the states in which the classes hold: in a copy of the graph, the first latch of a class replaces
// all others.  So structural hashing answers most queries.
#include "base/diag.h"
#include "base/intern.h"
#include "base/rng.h"
#include "encode/cnf.h"
#include "netlist/netlist_reduce_impl.h"
#include "netlist/netlist_simulate.h"

enum { RUNS = 4, STEPS = 64, STEPS_AFTER_MODEL = 4, CLASS_ROUNDS = 500 };
enum { CONSTANT = UINT32_MAX };

typedef struct equals {
  const netlist *n;
  const net_reduce_options *o;
  rng random;
  VEC (uint32_t) first;  // by latch: the first latch of its class, or CONSTANT
  VEC (uint64_t) words;  // by latch: its values in 64 executions, complemented if it starts as 1
  uint64_t splits;       // number of class changes so far
  net_simulation simulation;
  // the current round
  aig graph;
  VEC (aig_lit) image;    // by node
  VEC (uint64_t) values;  // by node of the copy
  cnf clauses;
  sat *solver;
  uint64_t sat_calls;
} equals;

static uint32_t turned (const equals *e, uint32_t latch) { return e->n->latches.data[latch].reset == NET_ONE; }

// ---- classes ----------------------------------------------------------------------------------------

static void init_classes (equals *e) {
  for (uint32_t k = 0; k < e->n->latches.count; k++) {
    vec_push (&e->first, e->n->latches.data[k].reset == NET_ANY ? k : CONSTANT);
    vec_push (&e->words, 0);
  }
}

// Separates latches whose words differ in the executions of the mask `counts`.
static void split_classes (equals *e, uint64_t counts) {
  intern kinds = {0};
  VEC (uint32_t) first = {0};  // by kind
  for (uint32_t k = 0; k < e->first.count; k++) {
    uint64_t kind[2] = {e->first.data[k], e->words.data[k] & counts};
    if (kind[0] == CONSTANT && !kind[1]) continue;
    bool is_new;
    uint32_t number = intern_add (&kinds, kind, sizeof kind, &is_new);
    if (is_new) vec_push (&first, k);
    e->splits += e->first.data[k] != first.data[number];
    e->first.data[k] = first.data[number];
  }
  intern_release (&kinds);
  vec_release (&first);
}

static void leave_class (equals *e, uint32_t latch) {
  e->first.data[latch] = latch;
  e->splits++;
}

// Simulates from the current states and separates latches, in the executions of the mask `counts`; an execution ends
// when a constraint fails.  Stops after `steps` steps without a separation.
static void split_along (equals *e, uint64_t counts, unsigned steps) {
  net_simulation *s = &e->simulation;
  for (unsigned step = 0, last = 0; counts && step < last + steps; step++) {
    uint64_t before = e->splits;
    for (uint32_t k = 0; k < e->words.count; k++)
      e->words.data[k] = net_value (s, (aig_lit){e->n->latches.data[k].now.i ^ turned (e, k)});
    split_classes (e, counts);
    if (e->splits != before) last = step;
    net_random_inputs (s, &e->random);
    net_evaluate (s);
    counts &= net_constraints_hold (s);
    net_step (s);
  }
}

static void split_by_simulation (equals *e) {
  for (unsigned run = 0; run < RUNS && !budget_spent (e->o->budget); run++) {
    net_reset_latches (&e->simulation, &e->random);
    split_along (e, UINT64_MAX, STEPS);
  }
}

// ---- a round: the copy in which the classes hold ----------------------------------------------------

static aig_lit class_literal (const equals *e, aig_lit x) { return (aig_lit){e->image.data[x.i / 2].i ^ (x.i & 1)}; }

// Returns the literal of an input or latch in the copy.  The first latch of a class has been copied before the others.
static aig_lit leaf_image (equals *e, uint32_t node) {
  uint64_t what = *map_find (&e->n->of_node, node);
  uint32_t k = (uint32_t) (what / 2);
  if (!(what & 1) || e->first.data[k] == k) return aig_input (&e->graph);
  if (e->first.data[k] == CONSTANT) return (aig_lit){AIG_FALSE.i ^ turned (e, k)};
  uint32_t first = e->first.data[k];
  return (aig_lit){class_literal (e, e->n->latches.data[first].now).i ^ turned (e, k) ^ turned (e, first)};
}

static void copy_graph (equals *e) {
  const aig *g = &e->n->graph;
  aig_init (&e->graph);
  vec_clear (&e->image);
  vec_push (&e->image, AIG_FALSE);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    aig_node n = g->nodes.data[i];
    vec_push (&e->image, aig_is_input (g, i)
                             ? leaf_image (e, i)
                             : aig_and (&e->graph, class_literal (e, n.left), class_literal (e, n.right)));
  }
}

static void start_round (equals *e) {
  copy_graph (e);
  e->solver = sat_new (e->o->budget);
  cnf_init (&e->clauses, &e->graph, e->solver);
  for (uint32_t k = 0; k < e->n->constraints.count; k++) {
    int holds = cnf_literal (&e->clauses, class_literal (e, e->n->constraints.data[k].holds));
    sat_add_clause (e->solver, &holds, 1);
  }
}

static void end_round (equals *e) {
  e->sat_calls += sat_num_calls (e->solver);
  cnf_release (&e->clauses);
  sat_free (e->solver);
  aig_release (&e->graph);
}

// ---- steps that distinguish latches -----------------------------------------------------------------

static uint64_t class_value (const equals *e, aig_lit x) { return net_signed (e->values.data, x); }

// Evaluates the solver's step, and 63 steps that differ from it in an eighth of all inputs and latches.
static void simulate_around_model (equals *e) {
  const aig *g = &e->graph;
  vec_clear (&e->values);
  for (uint32_t i = 0; i < g->nodes.count; i++) {
    uint64_t word = 0;
    if (i && !aig_is_input (g, i))
      word = class_value (e, g->nodes.data[i].left) & class_value (e, g->nodes.data[i].right);
    else if (i) {
      int literal = cnf_find_literal (&e->clauses, (aig_lit){2 * i});
      word = literal && sat_value (e->solver, literal) ? UINT64_MAX : 0;
      word ^= rng_next (&e->random) & rng_next (&e->random) & rng_next (&e->random) & ~1ull;
    }
    vec_push (&e->values, word);
  }
}

// Separates latches by the solver's step.  The step leads to a state in which the remaining classes hold, so steps from
// that state are used, too.
static void split_by_model (equals *e) {
  uint64_t counts = UINT64_MAX;
  simulate_around_model (e);
  for (uint32_t k = 0; k < e->n->constraints.count; k++)
    counts &= class_value (e, class_literal (e, e->n->constraints.data[k].holds));
  for (uint32_t k = 0; k < e->words.count; k++)
    net_set_latch (&e->simulation, k, class_value (e, class_literal (e, e->n->latches.data[k].next)));
  split_along (e, counts, STEPS_AFTER_MODEL);
}

static aig_lit turned_next (const equals *e, uint32_t latch) {
  if (latch == CONSTANT) return AIG_FALSE;
  return (aig_lit){class_literal (e, e->n->latches.data[latch].next).i ^ turned (e, latch)};
}

// Queries whether the latch stays equal to the first latch of its class; if not, separates the two.
static void check_latch_class (equals *e, uint32_t latch) {
  aig_lit a = turned_next (e, latch), b = turned_next (e, e->first.data[latch]);
  if (a.i == b.i) return;
  int differ = cnf_literal (&e->clauses, aig_xor (&e->graph, a, b));
  uint64_t before = e->splits;
  sat_limit_conflicts (e->solver, e->o->conflicts);
  switch (sat_solve (e->solver, &differ, 1)) {
  case SAT_YES:
    split_by_model (e);
    CHECK (e->splits > before, "a step that distinguishes two latches should separate them");
    break;
  case SAT_STOPPED: leave_class (e, latch); break;
  case SAT_NO: break;
  }
}

// Checks each latch against the first latch of its class.  False: the budget is spent.
static bool check_all_classes (equals *e) {
  for (uint32_t k = 0; k < e->first.count; k++) {
    if (e->first.data[k] == k) continue;
    if (budget_spent (e->o->budget)) return false;
    check_latch_class (e, k);
  }
  return true;
}

// ---- whole ------------------------------------------------------------------------------------------

static bool classes_hold (equals *e) {
  for (unsigned round = 0; round < CLASS_ROUNDS; round++) {
    uint64_t before = e->splits;
    start_round (e);
    bool asked = check_all_classes (e);
    end_round (e);
    if (!asked) return false;
    if (e->splits == before) return true;
  }
  return false;
}

static void substitute_classes (const equals *e, net_substitution *s) {
  for (uint32_t k = 0; k < e->first.count; k++) {
    uint32_t first = e->first.data[k];
    if (first == k) continue;
    aig_lit x = first == CONSTANT ? AIG_FALSE : (aig_lit){e->n->latches.data[first].now.i ^ turned (e, first)};
    net_substitute (s, e->n, k, (aig_lit){x.i ^ turned (e, k)});
  }
}

uint64_t net_find_equals (const netlist *n, const net_reduce_options *o, net_substitution *s) {
  equals e = {.n = n, .o = o, .random = {o->seed}};
  net_simulation_init (&e.simulation, n);
  init_classes (&e);
  split_by_simulation (&e);
  if (classes_hold (&e)) substitute_classes (&e, s);
  net_simulation_release (&e.simulation);
  vec_release (&e.first);
  vec_release (&e.words);
  vec_release (&e.image);
  vec_release (&e.values);
  return e.sat_calls;
}
