// Executes the steps again, with all choices and the whole guard; a solver chooses the values.
#include "engine/boolean/valuations.h"

typedef struct re_execution {
  const symbolic_search *search;
  simulator simulator;
  state_builder draft;
  feasible feasible;
  aig_lits formulas;  // [state on the path * num_globals + global]
  VEC (bool) node;    // by node of the graph: its value
} re_execution;

static void find_search_path (valuations *v, const symbolic_search *s, uint32_t at) {
  for (; at != BP_NONE; at = s->history.states.data[at]->parent) vec_push (&v->states, at);
  for (uint32_t i = 0, k = v->states.count; i + 1 < k; i++) {
    uint32_t x = v->states.data[--k];
    v->states.data[k] = v->states.data[i], v->states.data[i] = x;
  }
}

static void execute_steps_again (re_execution *r, const valuations *v) {
  simulate_start (&r->simulator, &r->draft);
  for (uint32_t k = 0; k < v->states.count; k++) {
    const sym_state *x = r->search->history.states.data[v->states.data[k]];
    if (k) simulate_step (&r->simulator, &r->draft, x->thread, x->way);
    for (uint32_t g = 0; g < v->num_globals; g++) vec_push (&r->formulas, r->draft.values.data[g]);
  }
}

static bool literal_valuation (const re_execution *r, aig_lit x) { return r->node.data[x.i / 2] != (x.i & 1); }

static void evaluate_graph (re_execution *r) {
  const aig *g = &r->simulator.graph;
  for (uint32_t n = 0; n < g->nodes.count; n++) {
    bool value = false;
    if (n && aig_is_input (g, n)) value = feasible_value (&r->feasible, (aig_lit){2 * n});
    else if (n) value = literal_valuation (r, g->nodes.data[n].left) && literal_valuation (r, g->nodes.data[n].right);
    vec_push (&r->node, value);
  }
}

bool valuations_find (valuations *v, const symbolic_search *s, uint32_t at) {
  re_execution r = {.search = s};
  *v = (valuations){.num_globals = s->layout.num_globals};
  simulator_init (&r.simulator, &s->layout, s->options.max_threads);
  find_search_path (v, s, at);
  execute_steps_again (&r, v);
  feasible_init (&r.feasible, &r.simulator.graph, s->options.budget);
  bool good = feasible_ask (&r.feasible, r.draft.guard.data, r.draft.guard.count, AIG_TRUE) == SAT_YES;
  if (good) {
    evaluate_graph (&r);
    for (uint32_t k = 0; k < r.formulas.count; k++) vec_push (&v->values, literal_valuation (&r, r.formulas.data[k]));
  }
  feasible_release (&r.feasible);
  simulator_release (&r.simulator);
  state_builder_release (&r.draft);
  vec_release (&r.formulas);
  vec_release (&r.node);
  return good;
}

void valuations_release (valuations *v) {
  vec_release (&v->states);
  vec_release (&v->values);
}
