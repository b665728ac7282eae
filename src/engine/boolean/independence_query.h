// Is each of these cases impossible under a guard? With this query the reduction learns what threads cannot do, as a
// decision procedure (paper BOOL, section 3.4).
//
// Only the hooks of the solver know that one of the cases must be true; no clause is added to it for a query: the hooks
// decide one case after another, and then only the inputs of this query. selector_clauses.h asks the same by clauses.
#ifndef LOCKSTEP_BOOLEAN_INDEPENDENCE_QUERY_H
#define LOCKSTEP_BOOLEAN_INDEPENDENCE_QUERY_H

#include "engine/boolean/symbolic.h"
#include "solver/cdcl/cdcl.h"

typedef struct independence_solver independence_solver;
independence_solver *independence_new (const aig *, const budget *);
void independence_free (independence_solver *);
// SAT_NO: none is possible. SAT_YES: seen[i] says whether case i is true in the assignment that was found; some of them
// are.
sat_answer independence_ask (independence_solver *, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases,
                             uint32_t num_cases, bool *seen);
const cdcl_counters *independence_statistics (const independence_solver *);

#endif
