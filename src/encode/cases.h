// Splits a term into its possible values, each with a condition.  Paths through choices that lead to the same value are
// one case, so the number of cases is bounded by the number of nodes of the term, not by the number of its paths.
//
//   term_cases todo = {0};
//   cases_add (&pool, &todo, (term_case){address, zero, pool.truth});
//   for (term_case c; cases_take (&todo, &c);)
//     if (!cases_split (&pool, &todo, c, distance_of, state)) use (c);
//   vec_release (&todo);
#ifndef LOCKSTEP_CASES_H
#define LOCKSTEP_CASES_H

#include "encode/term.h"

// The term is value + more if the condition is true.
typedef struct term_case { term value, more, condition; } term_case;
typedef VEC (term_case) term_cases;

void cases_add (term_pool *, term_cases *, term_case);
// Removes a case whose value splitting the other cases cannot reach.  False: the list is empty.
bool cases_take (term_cases *, term_case *out);
// Returns the term in the width of `more` if it is a distance (an operand that `more` may absorb), else TERM_NONE.
typedef term case_distance (void *state, term);
// Adds the alternatives of a choice, or the other operand of a sum with a distance.  False: the value is neither.
bool cases_split (term_pool *, term_cases *, term_case, case_distance *, void *state);

#endif
