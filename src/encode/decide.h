// Questions about conditions: what is asserted, under these assumptions, can it hold?  Two back ends answer: terms blasted to an and-inverter
// graph, to clauses, to CaDiCaL; or terms handed to Z3 as words.  Both are incremental.  A third one asks both and compares, for tests.
//
//   decider *d = decider_new (&pool, DECIDE_BY_SAT, budget);
//   decider_assert (d, a);
//   decider_clause (d, (term[]){b, c}, 2);
//   if (decider_check (d, (term[]){goal}, 1) == DECIDED_YES) use (decider_value (d, x));
//   decider_free (d);
//
// Operators on floats that are not modelled exactly are any value: decider_is_exact is false if one was met.
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
void decider_clause (decider *, const term *conditions, uint32_t count);  // one of them holds; each may be the negation of a known one
void decider_equal_if (decider *, term condition, term, term);         // if it holds the two are equal; cheaper than as a term
decided decider_check (decider *, const term *assumptions, uint32_t count);
ir_value decider_value (decider *, term);        // after YES, until the next assertion; any term, also one never asserted before
bool decider_in_core (decider *, uint32_t assumption);  // after NO: did the assumption with this index matter?
bool decider_is_exact (const decider *);
bool decider_disagrees (const decider *);        // DECIDE_BY_BOTH: the two have given different answers; from then on every check is STOPPED

typedef struct decider_stats { uint64_t calls, variables, clauses, and_gates; } decider_stats;
decider_stats decider_get_stats (const decider *);

#endif
