// A term taken apart into what it may be, each with its condition: ways that lead to the same value are one case, so that a term in which choices share
// their alternatives has as many cases as it has nodes, not as it has paths.
//
//   term_cases todo = {0};
//   cases_add (&pool, &todo, (term_case){address, zero, pool.truth});
//   for (term_case c; cases_take (&todo, &c);)
//     if (!cases_split (&pool, &todo, c, distance_of, state)) use (c);
//   vec_release (&todo);
#ifndef LOCKSTEP_CASES_H
#define LOCKSTEP_CASES_H

#include "encode/term.h"

typedef struct term_case { term value, more /* added to it */, condition; } term_case;
typedef VEC (term_case) term_cases;

void cases_add (term_pool *, term_cases *, term_case);
bool cases_take (term_cases *, term_case *out);  // one to which no other leads; false: there is none left
// Adds the alternatives of a choice, or the other operand of a sum with a distance.  False: it is neither.
typedef term case_distance (void *state, term);  // the term, if it is one, in the width of `more`; else TERM_NONE
bool cases_split (term_pool *, term_cases *, term_case, case_distance *, void *state);

#endif
