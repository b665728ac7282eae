// Decides a query about gates only, without states.
#include "encode/cnf.h"
#include "prove/prove.h"

prove_answer prove_never (const aig *graph, aig_lit holds, const budget *b) {
  sat *solver = sat_new (b);
  cnf gates;
  cnf_init (&gates, graph, solver);
  int wanted = cnf_literal (&gates, holds);
  sat_answer a = sat_solve (solver, &wanted, 1);
  cnf_release (&gates);
  sat_free (solver);
  return a == SAT_NO ? PROVE_HOLDS : a == SAT_YES ? PROVE_VIOLATED : PROVE_UNKNOWN;
}
