// The question of alone.h by clauses, in the way that paper BOOL, section 3.4, calls the usual one, and compares with: constraints on selectors of threads, added up front.
//
// In each state every thread that might go alone gets a selector, and a clause: if it is selected, one of the cases holds that speak against it.  Only then is asked whether
// a thread can be selected.  What is found out about threads that nobody asks about later was for nothing, and all that was ever spoken of gets values with each answer.
#ifndef LOCKSTEP_BOOLEAN_UPFRONT_H
#define LOCKSTEP_BOOLEAN_UPFRONT_H

#include "engine/boolean/symbolic.h"
#include "solver/cdcl/cdcl.h"

typedef struct upfront upfront;
upfront *upfront_new (const aig *, const budget *);
void upfront_free (upfront *);
// Another state: the selectors so far are never true again.
void upfront_open (upfront *, const aig_lit *guard, uint32_t num_guard);
// A selector; to select it is to ask whether one of the cases is possible.
typedef struct selector { int literal; } selector;
selector upfront_constrain (upfront *, const aig_lit *cases, uint32_t num_cases);
// As alone_ask, with the cases that the selector was made for.
sat_answer upfront_ask (upfront *, selector, const aig_lit *cases, uint32_t num_cases, bool *seen);
const cdcl_counters *upfront_statistics (const upfront *);

#endif
