// Under a guard, is none of these possible?  The question by which the reduction learns that some threads are not enabled.
//
// One of the cases must hold; the solver looks for an assignment.  As a clause, that is one more clause for each question, which is never of use again.  As a
// decision procedure (paper BOOL, section 3.4) nothing is added: the solver decides one case after another.
#ifndef LOCKSTEP_BOOLEAN_ALONE_H
#define LOCKSTEP_BOOLEAN_ALONE_H

#include "engine/boolean/symbolic.h"
#include "solver/cdcl/cdcl.h"

typedef struct alone alone;
alone *alone_new (const aig *, const budget *, bool by_clauses);
void alone_free (alone *);
sat_answer alone_ask (alone *, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases, uint32_t num_cases);   // SAT_NO: none is possible
const cdcl_counters *alone_statistics (const alone *);

#endif
