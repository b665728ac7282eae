// The query of independence_query.h by clauses, in the way that paper BOOL, section 3.4, calls the usual one, and
// compares with: constraints on selectors of threads, added before the search for a thread.
//
// In each state every thread that might step alone gets a selector, and a clause: if it is selected, one of the cases
// that exclude it is true. Only then the solver is asked whether a thread can be selected. Work for threads that are
// not queried later is wasted, and all variables that were ever used get values with each answer.
#ifndef LOCKSTEP_BOOLEAN_SELECTOR_CLAUSES_H
#define LOCKSTEP_BOOLEAN_SELECTOR_CLAUSES_H

#include "engine/boolean/symbolic.h"
#include "solver/cdcl/cdcl.h"

typedef struct selector_solver selector_solver;
selector_solver *selector_new (const aig *, const budget *);
void selector_free (selector_solver *);
// Begins another state: the selectors so far are never true again.
void selector_open (selector_solver *, const aig_lit *guard, uint32_t num_guard);
// A selector; to select it asks whether one of its cases is possible.
typedef struct selector { int literal; } selector;
selector selector_constrain (selector_solver *, const aig_lit *cases, uint32_t num_cases);
// Like independence_query, with the cases that the selector was made for.
sat_answer selector_ask (selector_solver *, selector, const aig_lit *cases, uint32_t num_cases, bool *seen);
const cdcl_counters *selector_statistics (const selector_solver *);

#endif
