// Deciders: is the conjunction of all assertions satisfiable under given assumptions?  There are two back ends: one
// translates terms to an and-inverter graph and to clauses for CaDiCaL; the other passes terms as bit-vectors to Z3.
// Both are incremental.  A third back end, for tests, queries both and compares the answers.
//
//   decider *d = decider_new (&pool, DECIDE_BY_SAT, budget);
//   decider_assert (d, a);
//   decider_clause (d, (term[]){b, c}, 2);
//   if (decider_check (d, (term[]){goal}, 1) == DECIDED_YES) use (decider_value (d, x));
//   decider_free (d);
//
// An operator on floats without an exact model has any value: decider_is_exact is false if a term contained one.
#ifndef LOCKSTEP_DECIDE_H
#define LOCKSTEP_DECIDE_H

#include "base/budget.h"
#include "base/option.h"
#include "encode/term.h"

typedef struct decider decider;
#define DECIDE_BY_WORDS(WORD) WORD (DECIDE_BY_SAT, "cadical") WORD (DECIDE_BY_SMT, "z3") WORD (DECIDE_BY_BOTH, "both")
typedef enum decide_by { DECIDE_BY_WORDS (OPTION_WORD_ID) } decide_by;
typedef enum decided { DECIDED_YES, DECIDED_NO, DECIDED_STOPPED } decided;

decider *decider_new (term_pool *, decide_by, const budget *);
void decider_free (decider *);
void decider_assert (decider *, term condition);
void decider_clause (decider *, const term *conditions, uint32_t count);  // asserts the disjunction
void decider_equal_if (decider *, term condition, term, term);  // asserts the implication; cheaper than as a term
decided decider_check (decider *, const term *assumptions, uint32_t count);
// After YES, until the next assertion: the value of a term, which need not occur in an assertion.
ir_value decider_value (decider *, term);
bool decider_in_core (decider *, uint32_t assumption);  // after NO: is the assumption with this index in the core?
bool decider_is_exact (const decider *);
// DECIDE_BY_BOTH: have the two back ends given contradictory answers?  From then on every check is STOPPED.
bool decider_disagrees (const decider *);

typedef struct decider_stats { uint64_t calls, variables, clauses, and_gates; } decider_stats;
decider_stats decider_get_stats (const decider *);

#endif
