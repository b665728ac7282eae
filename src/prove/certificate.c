// Checks a proof by questions of its own.  Good is a step of a path that satisfies the invariant and is not bad.  With k the depth of the certificate: the first k steps of every path are
// good, and k good steps from anywhere are followed by a good one.  If paths are simple, their states differ in the latches that matter; that is enough, since a shortest path to a step that
// is not good has no state twice.
//
// Nothing is shared with the provers but the solver: steps are translated plainly, one variable and three clauses for each gate, without folding.
#include "base/diag.h"
#include "prove/prove.h"
#include "solver/sat.h"

typedef VEC (int) int_list;

typedef struct checker {
  const netlist *net;
  const prove_certificate *certificate;
  aig_lit bad;
  sat *solver;
  int yes;                // a literal that holds
  VEC (uint8_t) matters;  // by node: bad, a constraint or the invariant depends on it
  VEC (int_list) steps;   // literals by node
} checker;

// ---- what matters ----------------------------------------------------------------------------------------------------------

typedef VEC (uint32_t) node_list;

static void matter (checker *c, node_list *open, aig_lit x) {
  if (c->matters.data[x.i / 2]) return;
  c->matters.data[x.i / 2] = 1;
  vec_push (open, x.i / 2);
}

static void matter_below (checker *c, node_list *open, uint32_t node) {
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

static void find_what_matters (checker *c) {
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

// ---- steps -----------------------------------------------------------------------------------------------------------------

static int value (const int_list *of, aig_lit x) { return x.i & 1 ? -of->data[x.i / 2] : of->data[x.i / 2]; }

static int new_and (checker *c, int x, int y) {
  int r = sat_new_var (c->solver);
  sat_add_clause (c->solver, (int[]){-r, x}, 2);
  sat_add_clause (c->solver, (int[]){-r, y}, 2);
  sat_add_clause (c->solver, (int[]){r, -x, -y}, 3);
  return r;
}

static int new_input (checker *c, uint32_t node, bool from_reset) {
  uint64_t kind = *map_find (&c->net->of_node, node);
  if (!(kind & 1)) return sat_new_var (c->solver);
  const net_latch *l = &c->net->latches.data[kind / 2];
  if (c->steps.count) return value (&vec_last (&c->steps), l->next);
  if (!from_reset || l->reset == NET_ANY) return sat_new_var (c->solver);
  return l->reset == NET_ONE ? c->yes : -c->yes;
}

static void add_step (checker *c, bool from_reset) {
  const aig *g = &c->net->graph;
  int_list step = {0};
  vec_push (&step, -c->yes);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    if (!c->matters.data[i]) vec_push (&step, 0);
    else if (aig_is_input (g, i)) vec_push (&step, new_input (c, i, from_reset));
    else vec_push (&step, new_and (c, value (&step, g->nodes.data[i].left), value (&step, g->nodes.data[i].right)));
  }
  vec_push (&c->steps, step);
  for (uint32_t i = 0; i < c->net->constraints.count; i++) {
    int holds = value (&step, c->net->constraints.data[i].holds);
    sat_add_clause (c->solver, &holds, 1);
  }
}

// ---- the invariant ---------------------------------------------------------------------------------------------------------

static int latch_literal (const checker *c, int32_t literal) {
  int now = value (&vec_last (&c->steps), c->net->latches.data[latch_of (literal)].now);
  return literal < 0 ? -now : now;
}

// The graph of the certificate at the last step.
static int graph_literal (checker *c) {
  const aig *g = &c->certificate->graph;
  int_list nodes = {0};
  vec_push (&nodes, -c->yes);
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    aig_node n = g->nodes.data[i];
    if (aig_is_input (g, i)) vec_push (&nodes, latch_literal (c, (int32_t) n.right.i + 1));
    else vec_push (&nodes, new_and (c, value (&nodes, n.left), value (&nodes, n.right)));
  }
  int holds = value (&nodes, c->certificate->holds);
  vec_release (&nodes);
  return holds;
}

// The last step is good.
static void make_good (checker *c) {
  const prove_certificate *from = c->certificate;
  int_list clause = {0};
  int unit = -value (&vec_last (&c->steps), c->bad);
  sat_add_clause (c->solver, &unit, 1);
  if (from->graph.nodes.count) {
    unit = graph_literal (c);
    sat_add_clause (c->solver, &unit, 1);
  }
  for (uint32_t i = 0; i < from->clauses.count; i++) {
    if (from->clauses.data[i]) vec_push (&clause, latch_literal (c, from->clauses.data[i]));
    else {
      sat_add_clause (c->solver, clause.data, clause.count);
      vec_clear (&clause);
    }
  }
  vec_release (&clause);
}

// ---- simple paths ----------------------------------------------------------------------------------------------------------

static int new_difference (checker *c, int x, int y) {  // implies that they differ
  int r = sat_new_var (c->solver);
  sat_add_clause (c->solver, (int[]){-r, x, y}, 3);
  sat_add_clause (c->solver, (int[]){-r, -x, -y}, 3);
  return r;
}

static void let_differ (checker *c, const int_list *a, const int_list *b) {
  int_list clause = {0};
  for (uint32_t i = 0; i < c->net->latches.count; i++) {
    aig_lit now = c->net->latches.data[i].now;
    if (c->matters.data[now.i / 2]) vec_push (&clause, new_difference (c, value (a, now), value (b, now)));
  }
  sat_add_clause (c->solver, clause.data, clause.count);
  vec_release (&clause);
}

static void let_states_differ (checker *c) {
  for (uint32_t i = 1; i < c->steps.count; i++)
    for (uint32_t k = 0; k < i; k++) let_differ (c, &c->steps.data[k], &c->steps.data[i]);
}

// ---- the two questions -----------------------------------------------------------------------------------------------------

static void init (checker *c, const budget *b) {
  c->solver = sat_new (b);
  c->yes = sat_new_var (c->solver);
  sat_add_clause (c->solver, &c->yes, 1);
}

static void release (checker *c) {
  for (uint32_t i = 0; i < c->steps.count; i++) vec_release (&c->steps.data[i]);
  vec_release (&c->steps);
  sat_free (c->solver);
}

static bool cannot_be (checker *c, const int *assumed, uint32_t count) {
  return sat_solve (c->solver, assumed, count) == SAT_NO;
}

static bool clauses_hold (checker *c) {
  const prove_certificate *from = c->certificate;
  bool hold = true;
  int_list broken = {0};
  for (uint32_t i = 0; hold && i < from->clauses.count; i++) {
    if (from->clauses.data[i]) vec_push (&broken, -latch_literal (c, from->clauses.data[i]));
    else {
      hold = cannot_be (c, broken.data, broken.count);
      vec_clear (&broken);
    }
  }
  vec_release (&broken);
  return hold;
}

static bool last_step_is_good (checker *c) {
  int bad = value (&vec_last (&c->steps), c->bad);
  if (!cannot_be (c, &bad, 1) || !clauses_hold (c)) return false;
  int wrong = c->certificate->graph.nodes.count ? -graph_literal (c) : -c->yes;
  return cannot_be (c, &wrong, 1);
}

static bool first_steps_are_good (checker *c, const budget *b) {
  bool good = true;
  init (c, b);
  for (uint32_t i = 0; good && i < c->certificate->depth; i++) {
    add_step (c, true);
    good = last_step_is_good (c);
  }
  release (c);
  return good;
}

static bool next_step_is_good (checker *c, const budget *b) {
  init (c, b);
  for (uint32_t i = 0; i < c->certificate->depth && !budget_spent (b); i++) {
    add_step (c, false);
    make_good (c);
  }
  add_step (c, false);
  if (c->certificate->simple) let_states_differ (c);
  bool good = last_step_is_good (c);
  release (c);
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
  checker c = {.net = n, .certificate = certificate, .bad = n->bads.data[bad].holds};
  find_what_matters (&c);
  bool good = first_steps_are_good (&c, b) && next_step_is_good (&c, b);
  vec_release (&c.matters);
  return good;
}
