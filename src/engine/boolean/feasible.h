// Can a guard be satisfied?  One incremental solver for all states, since they share one graph.
#ifndef LOCKSTEP_BOOLEAN_FEASIBLE_H
#define LOCKSTEP_BOOLEAN_FEASIBLE_H

#include "encode/cnf.h"
#include "engine/boolean/symbolic.h"

typedef struct feasible {
  sat *solver;
  cnf clauses;
  VEC (int) assumed;
} feasible;
void feasible_init (feasible *, const aig *, const budget *);
void feasible_release (feasible *);
sat_answer feasible_ask (feasible *, const aig_lit *guard, uint32_t count, aig_lit also);
bool feasible_value (feasible *, aig_lit input);     // after SAT_YES, until the next question

#endif
