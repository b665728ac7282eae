// The solver has clauses for the nodes of the graph, and the clauses of the selectors.
#include "engine/boolean/selector_clauses.h"

#include "encode/cnf.h"

struct selector_solver {
  cdcl *solver;
  cnf clauses;
  VEC (int) selectors;  // of the current state
  VEC (int) assumed;    // its guard; during a query also the selector
  VEC (int) clause;     // scratch
};

selector_solver *selector_new (const aig *graph, const budget *b) {
  selector_solver *u = mem_zalloc (sizeof *u);
  u->solver = cdcl_new (b);
  cnf_init_cdcl (&u->clauses, graph, u->solver);
  return u;
}

void selector_free (selector_solver *u) {
  cnf_release (&u->clauses);
  cdcl_free (u->solver);
  vec_release (&u->selectors);
  vec_release (&u->assumed);
  vec_release (&u->clause);
  mem_free (u, sizeof *u);
}

void selector_open (selector_solver *u, const aig_lit *guard, uint32_t num_guard) {
  for (uint32_t i = 0; i < u->selectors.count; i++) {
    int never_again = -u->selectors.data[i];
    cdcl_add_clause (u->solver, &never_again, 1);
  }
  vec_clear (&u->selectors);
  vec_clear (&u->assumed);
  for (uint32_t i = 0; i < num_guard; i++) vec_push (&u->assumed, cnf_literal (&u->clauses, guard[i]));
}

selector selector_constrain (selector_solver *u, const aig_lit *cases, uint32_t num_cases) {
  selector s = {cdcl_new_var (u->solver)};
  vec_push (&u->selectors, s.literal);
  vec_clear (&u->clause);
  vec_push (&u->clause, -s.literal);
  for (uint32_t i = 0; i < num_cases; i++) vec_push (&u->clause, cnf_literal (&u->clauses, cases[i]));
  cdcl_add_clause (u->solver, u->clause.data, u->clause.count);
  return s;
}

sat_answer selector_ask (selector_solver *u, selector s, const aig_lit *cases, uint32_t num_cases, bool *seen) {
  vec_push (&u->assumed, s.literal);
  sat_answer answer = cdcl_solve (u->solver, u->assumed.data, u->assumed.count);
  u->assumed.count--;
  for (uint32_t i = 0; i < num_cases && answer == SAT_YES; i++)
    seen[i] = cdcl_value (u->solver, cnf_find_literal (&u->clauses, cases[i]));
  return answer;
}

const cdcl_counters *selector_statistics (const selector_solver *u) { return cdcl_statistics (u->solver); }
