// Checks a proof by its own queries. A step of a path is good if it satisfies the invariant and is not bad. With k the
// depth of the certificate, it checks that the first k steps of every path are good, and that k good steps from any
// state are followed by a good one. If `simple`, only paths whose states differ in the latches that matter are
// considered; that is enough, since a shortest path to a step that is not good has no state twice.
//
// The checker shares only the solver with the provers: it translates steps directly, one variable and three clauses for
// each gate, without folding.
#include "base/diag.h"
#include "prove/prove.h"
#include "solver/sat.h"

typedef VEC (int) int_list;

typedef struct certificate_checker {
  const netlist *net;
  const prove_certificate *certificate;
  aig_lit bad;
  sat *solver;
  int yes;                // a literal that is true
  VEC (uint8_t) matters;  // by node: bad, a constraint or the invariant depends on it
  VEC (int_list) steps;   // literals by node
} certificate_checker;

// ---- nodes that matter ------------------------------------------------------------------------------

typedef VEC (uint32_t) node_list;

static void matter (certificate_checker *c, node_list *open, aig_lit x) {
  if (c->matters.data[x.i / 2]) return;
  c->matters.data[x.i / 2] = 1;
  vec_push (open, x.i / 2);
}

static void matter_below (certificate_checker *c, node_list *open, uint32_t node) {
  const aig *g = &c->net->graph;
  if (!node) return;
  if (!aig_is_input (g, node)) {
    matter (c, open, g->nodes.data[node].left);
    matter (c, open, g->nodes.data[node].right);
    return;
  }
  uint64_t kind = *map_find (&c->net->of_node, node);
  if (kind & 1) matter (c, open, c->net->latches.data[kind / 2].next);
}

static uint32_t latch_of (int32_t literal) { return (uint32_t) (literal < 0 ? -literal : literal) - 1; }

static void mark_nodes_that_matter (certificate_checker *c) {
  const prove_certificate *from = c->certificate;
  const net_latch *latch = c->net->latches.data;
  node_list open = {0};
  for (uint32_t i = 0; i < c->net->graph.nodes.count; i++) vec_push (&c->matters, 0);
  matter (c, &open, c->bad);
  for (uint32_t i = 0; i < c->net->constraints.count; i++) matter (c, &open, c->net->constraints.data[i].holds);
  for (uint32_t i = 0; i < from->clauses.count; i++)
    if (from->clauses.data[i]) matter (c, &open, latch[latch_of (from->clauses.data[i])].now);
  for (uint32_t i = 0; i < from->graph.num_inputs; i++) matter (c, &open, latch[i].now);
  while (open.count) {
    uint32_t node = vec_pop (&open);
    matter_below (c, &open, node);
  }
  vec_release (&open);
}

// ---- steps ------------------------------------------------------------------------------------------

static int literal_in_step (const int_list *of, aig_lit x) { return x.i & 1 ? -of->data[x.i / 2] : of->data[x.i / 2]; }

static int new_and (certificate_checker *c, int x, int y) {
  int r = sat_new_var (c->solver);
  sat_add_clause (c->solver, (int[]){-r, x}, 2);
  sat_add_clause (c->solver, (int[]){-r, y}, 2);
  sat_add_clause (c->solver, (int[]){r, -x, -y}, 3);
  return r;
}

static int new_step_input (certificate_checker *c, uint32_t node, bool from_reset) {
  uint64_t kind = *map_find (&c->net->of_node, node);
  if (!(kind & 1)) return sat_new_var (c->solver);
  const net_latch *l = &c->net->latches.data[kind / 2];
  if (c->steps.count) return literal_in_step (&vec_last (&c->steps), l->next);
  if (!from_reset || l->reset == NET_ANY) return sat_new_var (c->solver);
  return l->reset == NET_ONE ? c->yes : -c->yes;
}

static void add_checked_step (certificate_checker *c, bool from_reset) {
  const aig *g = &c->net->graph;
  int_list step = {0};
  vec_push (&step, -c->yes);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    if (!c->matters.data[i]) vec_push (&step, 0);
    else if (aig_is_input (g, i)) vec_push (&step, new_step_input (c, i, from_reset));
    else
      vec_push (&step, new_and (c, literal_in_step (&step, g->nodes.data[i].left),
                                literal_in_step (&step, g->nodes.data[i].right)));
  }
  vec_push (&c->steps, step);
  for (uint32_t i = 0; i < c->net->constraints.count; i++) {
    int holds = literal_in_step (&step, c->net->constraints.data[i].holds);
    sat_add_clause (c->solver, &holds, 1);
  }
}

// ---- the invariant ----------------------------------------------------------------------------------

static int checked_latch_literal (const certificate_checker *c, int32_t literal) {
  int now = literal_in_step (&vec_last (&c->steps), c->net->latches.data[latch_of (literal)].now);
  return literal < 0 ? -now : now;
}

// Adds the graph of the certificate at the last step; returns its literal.
static int graph_literal (certificate_checker *c) {
  const aig *g = &c->certificate->graph;
  int_list nodes = {0};
  vec_push (&nodes, -c->yes);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    aig_node n = g->nodes.data[i];
    if (aig_is_input (g, i)) vec_push (&nodes, checked_latch_literal (c, (int32_t) n.right.i + 1));
    else vec_push (&nodes, new_and (c, literal_in_step (&nodes, n.left), literal_in_step (&nodes, n.right)));
  }
  int holds = literal_in_step (&nodes, c->certificate->holds);
  vec_release (&nodes);
  return holds;
}

// Assumes that the last step is good.
static void make_good (certificate_checker *c) {
  const prove_certificate *from = c->certificate;
  int_list clause = {0};
  int unit = -literal_in_step (&vec_last (&c->steps), c->bad);
  sat_add_clause (c->solver, &unit, 1);
  if (from->graph.nodes.count) {
    unit = graph_literal (c);
    sat_add_clause (c->solver, &unit, 1);
  }
  for (uint32_t i = 0; i < from->clauses.count; i++) {
    if (from->clauses.data[i]) vec_push (&clause, checked_latch_literal (c, from->clauses.data[i]));
    else {
      sat_add_clause (c->solver, clause.data, clause.count);
      vec_clear (&clause);
    }
  }
  vec_release (&clause);
}

// ---- simple paths -----------------------------------------------------------------------------------

static int new_difference (certificate_checker *c, int x, int y) {  // implies that they differ
  int r = sat_new_var (c->solver);
  sat_add_clause (c->solver, (int[]){-r, x, y}, 3);
  sat_add_clause (c->solver, (int[]){-r, -x, -y}, 3);
  return r;
}

static void require_different_states (certificate_checker *c, const int_list *a, const int_list *b) {
  int_list clause = {0};
  for (uint32_t i = 0; i < c->net->latches.count; i++) {
    aig_lit now = c->net->latches.data[i].now;
    if (c->matters.data[now.i / 2])
      vec_push (&clause, new_difference (c, literal_in_step (a, now), literal_in_step (b, now)));
  }
  sat_add_clause (c->solver, clause.data, clause.count);
  vec_release (&clause);
}

static void let_states_differ (certificate_checker *c) {
  for (uint32_t i = 1; i < c->steps.count; i++)
    for (uint32_t k = 0; k < i; k++) require_different_states (c, &c->steps.data[k], &c->steps.data[i]);
}

// ---- the two queries --------------------------------------------------------------------------------

static void certificate_checker_init (certificate_checker *c, const budget *b) {
  c->solver = sat_new (b);
  c->yes = sat_new_var (c->solver);
  sat_add_clause (c->solver, &c->yes, 1);
}

static void certificate_checker_release (certificate_checker *c) {
  for (uint32_t i = 0; i < c->steps.count; i++) vec_release (&c->steps.data[i]);
  vec_release (&c->steps);
  sat_free (c->solver);
}

static bool is_unsatisfiable (certificate_checker *c, const int *assumed, uint32_t count) {
  return sat_solve (c->solver, assumed, count) == SAT_NO;
}

static bool assert_clauses (certificate_checker *c) {
  const prove_certificate *from = c->certificate;
  bool hold = true;
  int_list broken = {0};
  for (uint32_t i = 0; hold && i < from->clauses.count; i++) {
    if (from->clauses.data[i]) vec_push (&broken, -checked_latch_literal (c, from->clauses.data[i]));
    else {
      hold = is_unsatisfiable (c, broken.data, broken.count);
      vec_clear (&broken);
    }
  }
  vec_release (&broken);
  return hold;
}

static bool last_step_is_good (certificate_checker *c) {
  int bad = literal_in_step (&vec_last (&c->steps), c->bad);
  if (!is_unsatisfiable (c, &bad, 1) || !assert_clauses (c)) return false;
  int wrong = c->certificate->graph.nodes.count ? -graph_literal (c) : -c->yes;
  return is_unsatisfiable (c, &wrong, 1);
}

static bool first_steps_are_good (certificate_checker *c, const budget *b) {
  bool good = true;
  certificate_checker_init (c, b);
  for (uint32_t i = 0; good && i < c->certificate->depth; i++) {
    add_checked_step (c, true);
    good = last_step_is_good (c);
  }
  certificate_checker_release (c);
  return good;
}

static bool next_step_is_good (certificate_checker *c, const budget *b) {
  certificate_checker_init (c, b);
  for (uint32_t i = 0; i < c->certificate->depth && !budget_spent (b); i++) {
    add_checked_step (c, false);
    make_good (c);
  }
  add_checked_step (c, false);
  if (c->certificate->simple) let_states_differ (c);
  bool good = last_step_is_good (c);
  certificate_checker_release (c);
  return good;
}

static bool is_well_formed (const netlist *n, const prove_certificate *p) {
  if (!p->depth || (p->clauses.count && vec_last (&p->clauses))) return false;
  for (uint32_t i = 0; i < p->clauses.count; i++)
    if (p->clauses.data[i] == INT32_MIN || (p->clauses.data[i] && latch_of (p->clauses.data[i]) >= n->latches.count))
      return false;
  if (!p->graph.nodes.count) return true;
  return p->graph.num_inputs <= n->latches.count && p->holds.i / 2 < p->graph.nodes.count;
}

bool certificate_is_good (const netlist *n, uint32_t bad, const prove_certificate *certificate, const budget *b) {
  if (!is_well_formed (n, certificate)) return false;
  certificate_checker c = {.net = n, .certificate = certificate, .bad = n->bads.data[bad].holds};
  mark_nodes_that_matter (&c);
  bool good = first_steps_are_good (&c, b) && next_step_is_good (&c, b);
  vec_release (&c.matters);
  return good;
}
