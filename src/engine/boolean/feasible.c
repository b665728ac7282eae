// Each conjunct is an assumption, so nothing has to be taken back.
#include "engine/boolean/feasible.h"

void feasible_init (feasible *g, const aig *graph, const budget *b) {
  *g = (feasible){.solver = sat_new_plain (b)};
  cnf_init (&g->clauses, graph, g->solver);
}

void feasible_release (feasible *g) {
  cnf_release (&g->clauses);
  sat_free (g->solver);
  vec_release (&g->assumed);
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

bool feasible_value (feasible *g, aig_lit input) {
  int literal = cnf_find_literal (&g->clauses, input);
  return literal && sat_value (g->solver, literal);
}
