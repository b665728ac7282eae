// Can a guard be satisfied? Decides by a truth table, or by one incremental solver for all states, since these share
// one graph.
#ifndef LOCKSTEP_BOOLEAN_FEASIBLE_H
#define LOCKSTEP_BOOLEAN_FEASIBLE_H

#include "encode/cnf.h"
#include "engine/boolean/symbolic.h"

typedef struct feasible {
  sat *solver;
  cnf clauses;
  VEC (int) assumed;
  const aig *graph;
  truth truth;
  cone cone;
  VEC (bool) taken;            // by conjunct: it is in the table
  uint64_t by_table;
} feasible;
void feasible_init (feasible *, const aig *, const budget *);
void feasible_release (feasible *);
sat_answer feasible_ask (feasible *, const aig_lit *guard, uint32_t count, aig_lit also);
// The same, if the first `known` conjuncts are known to be satisfiable together: only those that share choices with the
// others matter. Gives no values.
sat_answer feasible_extend (feasible *, const aig_lit *guard, uint32_t known, uint32_t count, aig_lit also);
// The value of an input, after SAT_YES of feasible_ask, until the next query.
bool feasible_value (feasible *, aig_lit input);

#endif
