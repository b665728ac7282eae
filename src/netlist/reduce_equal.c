// Latches that are always equal or always opposite, by induction over all of them at once: van Eijk, "Sequential equivalence checking without state space
// traversal" (1998).  Each latch with a reset value is turned so that it starts as 0; those that random simulation cannot tell apart, from each other or from
// the constant 0, are in one class.  The classes hold in all reachable states if every step from a state in which they hold, under the constraints, leads
// to one in which they hold.  Latches that a step tells apart are separated, and all is asked again, until nothing is separated any more.
//
// The state in which they hold is not described by clauses: in a copy of the graph, the first latch of a class stands for all of it.  So most questions are answered
// by structural hashing.
#include "base/diag.h"
#include "base/intern.h"
#include "base/rng.h"
#include "encode/cnf.h"
#include "netlist/reduce_impl.h"
#include "netlist/simulate.h"

enum { RUNS = 4, STEPS = 64, STEPS_AFTER_MODEL = 4, CLASS_ROUNDS = 500 };
enum { CONSTANT = UINT32_MAX };

typedef struct equals {
  const netlist *n;
  const net_reduce_options *o;
  rng random;
  VEC (uint32_t) first;  // by latch: the first of its class, or CONSTANT
  VEC (uint64_t) words;  // by latch: its turned values in 64 executions
  uint64_t splits;       // of classes so far
  net_simulation simulation;
  // of a round
  aig graph;
  VEC (aig_lit) image;    // by node
  VEC (uint64_t) values;  // by node of the copy
  cnf clauses;
  sat *solver;
  uint64_t sat_calls;
} equals;

static uint32_t turned (const equals *e, uint32_t latch) { return e->n->latches.data[latch].reset == NET_ONE; }

// ---- classes -------------------------------------------------------------------------------------------------------------

static void init_classes (equals *e) {
  for (uint32_t k = 0; k < e->n->latches.count; k++) {
    vec_push (&e->first, e->n->latches.data[k].reset == NET_ANY ? k : CONSTANT);
    vec_push (&e->words, 0);
  }
}

// Separates latches whose words differ in the executions that count.
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

// From the states in which the simulation is, in the executions that count, which end where a constraint fails.  Goes on while latches are separated.
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

// ---- a round: the copy in which the classes hold -----------------------------------------------------------------------

static aig_lit image (const equals *e, aig_lit x) { return (aig_lit){e->image.data[x.i / 2].i ^ (x.i & 1)}; }

// A latch comes after the first of its class.
static aig_lit leaf_image (equals *e, uint32_t node) {
  uint64_t what = *map_find (&e->n->of_node, node);
  uint32_t k = (uint32_t) (what / 2);
  if (!(what & 1) || e->first.data[k] == k) return aig_input (&e->graph);
  if (e->first.data[k] == CONSTANT) return (aig_lit){AIG_FALSE.i ^ turned (e, k)};
  uint32_t first = e->first.data[k];
  return (aig_lit){image (e, e->n->latches.data[first].now).i ^ turned (e, k) ^ turned (e, first)};
}

static void copy_graph (equals *e) {
  const aig *g = &e->n->graph;
  aig_init (&e->graph);
  vec_clear (&e->image);
  vec_push (&e->image, AIG_FALSE);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    aig_node n = g->nodes.data[i];
    vec_push (&e->image,
              aig_is_input (g, i) ? leaf_image (e, i) : aig_and (&e->graph, image (e, n.left), image (e, n.right)));
  }
}

static void start_round (equals *e) {
  copy_graph (e);
  e->solver = sat_new (e->o->budget);
  cnf_init (&e->clauses, &e->graph, e->solver);
  for (uint32_t k = 0; k < e->n->constraints.count; k++) {
    int holds = cnf_literal (&e->clauses, image (e, e->n->constraints.data[k].holds));
    sat_add_clause (e->solver, &holds, 1);
  }
}

static void end_round (equals *e) {
  e->sat_calls += sat_num_calls (e->solver);
  cnf_release (&e->clauses);
  sat_free (e->solver);
  aig_release (&e->graph);
}

// ---- steps that tell latches apart ---------------------------------------------------------------------------------------

static uint64_t value (const equals *e, aig_lit x) { return net_signed (e->values.data, x); }

// The solver's step, and 63 others that differ from it in an eighth of all inputs and latches.
static void simulate_around_model (equals *e) {
  const aig *g = &e->graph;
  vec_clear (&e->values);
  for (uint32_t i = 0; i < g->nodes.count; i++) {
    uint64_t word = 0;
    if (i && !aig_is_input (g, i)) word = value (e, g->nodes.data[i].left) & value (e, g->nodes.data[i].right);
    else if (i) {
      int literal = cnf_find_literal (&e->clauses, (aig_lit){2 * i});
      word = literal && sat_value (e->solver, literal) ? UINT64_MAX : 0;
      word ^= rng_next (&e->random) & rng_next (&e->random) & rng_next (&e->random) & ~1ull;
    }
    vec_push (&e->values, word);
  }
}

// Where the step leads is a state in which what is left of the classes holds; so steps from there count, too.
static void split_by_model (equals *e) {
  uint64_t counts = UINT64_MAX;
  simulate_around_model (e);
  for (uint32_t k = 0; k < e->n->constraints.count; k++)
    counts &= value (e, image (e, e->n->constraints.data[k].holds));
  for (uint32_t k = 0; k < e->words.count; k++)
    net_set_latch (&e->simulation, k, value (e, image (e, e->n->latches.data[k].next)));
  split_along (e, counts, STEPS_AFTER_MODEL);
}

static aig_lit turned_next (const equals *e, uint32_t latch) {
  if (latch == CONSTANT) return AIG_FALSE;
  return (aig_lit){image (e, e->n->latches.data[latch].next).i ^ turned (e, latch)};
}

// Does the latch stay with the first of its class?  If not, it has been separated.
static void ask_about (equals *e, uint32_t latch) {
  aig_lit a = turned_next (e, latch), b = turned_next (e, e->first.data[latch]);
  if (a.i == b.i) return;
  int differ = cnf_literal (&e->clauses, aig_xor (&e->graph, a, b));
  uint64_t before = e->splits;
  sat_limit_conflicts (e->solver, e->o->conflicts);
  switch (sat_solve (e->solver, &differ, 1)) {
  case SAT_YES:
    split_by_model (e);
    CHECK (e->splits > before, "a step that tells two latches apart should separate them");
    break;
  case SAT_STOPPED: leave_class (e, latch); break;
  case SAT_NO: break;
  }
}

// False: the budget is spent.
static bool ask_about_all (equals *e) {
  for (uint32_t k = 0; k < e->first.count; k++) {
    if (e->first.data[k] == k) continue;
    if (budget_spent (e->o->budget)) return false;
    ask_about (e, k);
  }
  return true;
}

// ---- whole ---------------------------------------------------------------------------------------------------------------

static bool classes_hold (equals *e) {
  for (unsigned round = 0; round < CLASS_ROUNDS; round++) {
    uint64_t before = e->splits;
    start_round (e);
    bool asked = ask_about_all (e);
    end_round (e);
    if (!asked) return false;
    if (e->splits == before) return true;
  }
  return false;
}

static void substitute (const equals *e, net_substitution *s) {
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
  if (classes_hold (&e)) substitute (&e, s);
  net_simulation_release (&e.simulation);
  vec_release (&e.first);
  vec_release (&e.words);
  vec_release (&e.image);
  vec_release (&e.values);
  return e.sat_calls;
}
