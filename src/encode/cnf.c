// Translates an and-inverter graph to clauses by Tseitin's translation (1968), in both directions, so that a node can
// be used in either polarity later.
//
// An exclusive or or a multiplexer consists of three and-nodes in the graph.  Such nodes are recognised, and become one
// variable with four clauses (and two redundant clauses that propagate when both branches agree).  Ands of ands without
// other uses become one gate with many inputs: then comparing two words of 32 bits takes 33 clauses instead of 93.  The
// nodes inside a gate get variables only if a later call needs them.
#include "encode/cnf.h"

#include "base/diag.h"

static int new_var_of_sat (void *solver) { return sat_new_var (solver); }
static void add_clause_of_sat (void *solver, const int *literals, uint32_t count) {
  sat_add_clause (solver, literals, count);
}

static int new_var_of_cdcl (void *solver) { return cdcl_new_var (solver); }
static void add_clause_of_cdcl (void *solver, const int *literals, uint32_t count) {
  cdcl_add_clause (solver, literals, count);
}

void cnf_init_sink (cnf *c, const aig *graph, const clause_sink *sink) { *c = (cnf){.graph = graph, .sink = *sink}; }

void cnf_init (cnf *c, const aig *graph, sat *solver) {
  cnf_init_sink (c, graph, &(clause_sink){solver, new_var_of_sat, add_clause_of_sat});
}

void cnf_init_cdcl (cnf *c, const aig *graph, cdcl *solver) {
  cnf_init_sink (c, graph, &(clause_sink){solver, new_var_of_cdcl, add_clause_of_cdcl});
}

void cnf_release (cnf *c) {
  vec_release (&c->variable);
  vec_release (&c->uses);
  vec_release (&c->stack);
  vec_release (&c->inputs);
  vec_release (&c->inside);
  vec_release (&c->clause);
}

int cnf_find_literal (const cnf *c, aig_lit x) {
  uint32_t node = x.i / 2;
  int variable = node < c->variable.count ? c->variable.data[node] : 0;
  return x.i & 1 ? -variable : variable;
}

// ---- gates ------------------------------------------------------------------------------------------

typedef enum gate {
  LEAF,
  AND,
  MUX
} gate;  // inputs of MUX: condition, then, else.  An exclusive or is a MUX with complementary branches

static bool is_and_node (const aig *g, uint32_t node) { return node && !aig_is_input (g, node); }

// Is the node a multiplexer?  !(c & x) & !(!c & y) is c ? !x : !y.
static bool is_mux (const aig *g, uint32_t node, aig_lit input[3]) {
  aig_node n = g->nodes.data[node];
  if (!(n.left.i & 1) || !(n.right.i & 1) || !is_and_node (g, n.left.i / 2) || !is_and_node (g, n.right.i / 2))
    return false;
  aig_node a = g->nodes.data[n.left.i / 2], b = g->nodes.data[n.right.i / 2];
  aig_lit x[2] = {a.left, a.right}, y[2] = {b.left, b.right};
  for (unsigned i = 0; i < 2; i++)
    for (unsigned k = 0; k < 2; k++) {
      if (x[i].i != (y[k].i ^ 1)) continue;
      input[0] = x[i], input[1] = aig_not (x[1 - i]), input[2] = aig_not (y[1 - k]);
      return true;
    }
  return false;
}

// Can the gate of an and-node absorb this operand of the node?
static bool can_merge_operand (const cnf *c, aig_lit x) {
  aig_lit unused[3];
  uint32_t node = x.i / 2;
  return !(x.i & 1) && is_and_node (c->graph, node) && c->uses.data[node] == 1 && !c->variable.data[node] &&
         !is_mux (c->graph, node, unused);
}

static void collect_gate_inputs (cnf *c, uint32_t node) {
  vec_push (&c->inside, ((aig_lit){2 * node}));
  while (c->inside.count) {
    aig_node n = c->graph->nodes.data[vec_pop (&c->inside).i / 2];
    aig_lit operand[2] = {n.left, n.right};
    for (unsigned k = 0; k < 2; k++)
      if (can_merge_operand (c, operand[k])) vec_push (&c->inside, operand[k]);
      else vec_push (&c->inputs, operand[k]);
  }
}

// Finds the gate of a node, and stores its inputs in c->inputs.
static gate find_gate (cnf *c, uint32_t node) {
  aig_lit input[3];
  vec_clear (&c->inputs);
  if (!is_and_node (c->graph, node)) return LEAF;
  if (!is_mux (c->graph, node, input)) {
    collect_gate_inputs (c, node);
    return AND;
  }
  for (unsigned k = 0; k < 3; k++) vec_push (&c->inputs, input[k]);
  return MUX;
}

// ---- clauses ----------------------------------------------------------------------------------------

static void add_sink_clause (cnf *c, const int *clause, uint32_t count) {
  c->sink.add_clause (c->sink.solver, clause, count);
}
static void add_binary_clause (cnf *c, int x, int y) { add_sink_clause (c, (int[]){x, y}, 2); }
static void add_ternary_clause (cnf *c, int x, int y, int z) { add_sink_clause (c, (int[]){x, y, z}, 3); }

static int gate_input_literal (const cnf *c, uint32_t k) { return cnf_find_literal (c, c->inputs.data[k]); }

static void encode_and_gate (cnf *c, int r) {
  vec_clear (&c->clause);
  vec_push (&c->clause, r);
  for (uint32_t k = 0; k < c->inputs.count; k++) {
    add_binary_clause (c, -r, gate_input_literal (c, k));
    vec_push (&c->clause, -gate_input_literal (c, k));
  }
  add_sink_clause (c, c->clause.data, c->clause.count);
}

static void add_mux (cnf *c, int r, int condition, int x, int y) {
  add_ternary_clause (c, -condition, -x, r);
  add_ternary_clause (c, -condition, x, -r);
  add_ternary_clause (c, condition, -y, r);
  add_ternary_clause (c, condition, y, -r);
  if (x == -y) return;
  add_ternary_clause (c, -x, -y, r);
  add_ternary_clause (c, x, y, -r);
}

static void add_gate (cnf *c, uint32_t node, gate g) {
  int r = c->variable.data[node] = c->sink.new_var (c->sink.solver);
  if (!node) add_sink_clause (c, &(int){-r}, 1);  // constant false
  if (g == AND) encode_and_gate (c, r);
  if (g == MUX) add_mux (c, r, gate_input_literal (c, 0), gate_input_literal (c, 1), gate_input_literal (c, 2));
}

static bool inputs_are_ready (cnf *c) {
  bool ready = true;
  for (uint32_t k = 0; k < c->inputs.count; k++) {
    if (gate_input_literal (c, k)) continue;
    vec_push (&c->stack, c->inputs.data[k].i / 2);
    ready = false;
  }
  return ready;
}

static void count_operand_use (cnf *c, aig_lit x) {
  if (c->uses.data[x.i / 2] < 2) c->uses.data[x.i / 2]++;
}

// Counts the uses by nodes that were added to the graph since the last call.
static void note_new_nodes (cnf *c) {
  for (uint32_t i = c->variable.count; i < c->graph->nodes.count; i++) {
    vec_push (&c->variable, 0);
    vec_push (&c->uses, 0);
    if (!is_and_node (c->graph, i)) continue;
    count_operand_use (c, c->graph->nodes.data[i].left);
    count_operand_use (c, c->graph->nodes.data[i].right);
  }
}

int cnf_literal (cnf *c, aig_lit x) {
  note_new_nodes (c);
  vec_push (&c->stack, x.i / 2);
  while (c->stack.count) {
    uint32_t node = vec_last (&c->stack);
    if (!c->variable.data[node]) {
      gate g = find_gate (c, node);
      if (!inputs_are_ready (c)) continue;
      add_gate (c, node, g);
    }
    c->stack.count--;
  }
  return cnf_find_literal (c, x);
}
