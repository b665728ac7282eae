// Decides guards. In the solver each conjunct is an assumption, so no clause has to be removed. Most queries are about
// few choices, and a query to a solver with the whole graph costs more than a table.
#include "engine/boolean/feasible.h"

void feasible_init (feasible *g, const aig *graph, const budget *b) {
  *g = (feasible){.solver = sat_new_plain (b), .graph = graph};
  cnf_init (&g->clauses, graph, g->solver);
}

void feasible_release (feasible *g) {
  cnf_release (&g->clauses);
  sat_free (g->solver);
  vec_release (&g->assumed);
  truth_release (&g->truth);
  cone_release (&g->cone);
  vec_release (&g->taken);
}

sat_answer feasible_ask (feasible *g, const aig_lit *guard, uint32_t count, aig_lit also) {
  if (also.i == AIG_FALSE.i) return SAT_NO;
  vec_clear (&g->assumed);
  for (uint32_t i = 0; i < count; i++) {
    if (guard[i].i == AIG_FALSE.i) return SAT_NO;
    vec_push (&g->assumed, cnf_literal (&g->clauses, guard[i]));
  }
  vec_push (&g->assumed, cnf_literal (&g->clauses, also));
  return sat_solve (g->solver, g->assumed.data, g->assumed.count);
}

// ---- by a table -------------------------------------------------------------------------------------
// Does the conjunct share a choice with those in the table?
static bool shares_choice (feasible *g, aig_lit conjunct) {
  cone_begin (&g->cone, g->graph);
  cone_add (&g->cone, g->graph, conjunct);
  for (uint32_t i = 0; i < g->cone.nodes.count; i++) {
    uint32_t node = g->cone.nodes.data[i];
    if (aig_is_input (g->graph, node) && cone_has (&g->truth.cone, node)) return true;
  }
  return false;
}

static void take_conjunct (feasible *g, const aig_lit *guard, uint32_t i) {
  g->taken.data[i] = true;
  truth_add (&g->truth, g->graph, guard[i]);
}

// Takes the new conjuncts, and all that share choices with them, directly or through others.
static void take_connected (feasible *g, const aig_lit *guard, uint32_t known, uint32_t count, aig_lit also) {
  vec_clear (&g->taken);
  for (uint32_t i = 0; i < count; i++) vec_push (&g->taken, false);
  truth_begin (&g->truth, g->graph);
  truth_add (&g->truth, g->graph, also);
  for (uint32_t i = known; i < count; i++) take_conjunct (g, guard, i);
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t i = 0; i < known; i++) {
      if (g->taken.data[i] || !shares_choice (g, guard[i])) continue;
      take_conjunct (g, guard, i);
      grown = true;
    }
  }
}

static bool has_common_choices (const feasible *g, const aig_lit *guard, uint32_t count, aig_lit also) {
  for (uint32_t w = 0; w < g->truth.num_words; w++) {
    uint64_t good = truth_word (&g->truth, also, w);
    for (uint32_t i = 0; i < count; i++)
      if (g->taken.data[i]) good &= truth_word (&g->truth, guard[i], w);
    if (good) return true;
  }
  return false;
}

sat_answer feasible_extend (feasible *g, const aig_lit *guard, uint32_t known, uint32_t count, aig_lit also) {
  take_connected (g, guard, known, count, also);
  if (!truth_is_small (&g->truth, g->graph)) return feasible_ask (g, guard, count, also);
  truth_fill (&g->truth, g->graph);
  g->by_table++;
  return has_common_choices (g, guard, count, also) ? SAT_YES : SAT_NO;
}

bool feasible_value (feasible *g, aig_lit input) {
  int literal = cnf_find_literal (&g->clauses, input);
  return literal && sat_value (g->solver, literal);
}
