// Under a guard, is none of these cases possible?  The question by which the reduction learns what threads cannot do, as a decision procedure (paper BOOL, section 3.4).
//
// That one of the cases must hold is known to the hooks of the solver only, and nothing is added to it for a question: it decides one case after another, and then
// only what this question is about.  upfront.h asks the same by clauses.
#ifndef LOCKSTEP_BOOLEAN_ALONE_H
#define LOCKSTEP_BOOLEAN_ALONE_H

#include "engine/boolean/symbolic.h"
#include "solver/cdcl/cdcl.h"

typedef struct alone alone;
alone *alone_new (const aig *, const budget *);
void alone_free (alone *);
// SAT_NO: none is possible.  SAT_YES: seen[i] says whether case i holds in the assignment that was found; of some of them it does.
sat_answer alone_ask (alone *, const aig_lit *guard, uint32_t num_guard, const aig_lit *cases, uint32_t num_cases, bool *seen);
const cdcl_counters *alone_statistics (const alone *);

#endif
