// Projects a condition to some others: computes the clauses over these that follow from it, by a SAT solver. This is
// the core of the abstraction: with the predicates before a step it gives the guard, with one predicate after the step
// as well the cartesian abstraction of an assignment, with all of them the exact one (Clarke, Kroening, Sharygina,
// Yorav 2004, "Predicate abstraction of ANSI-C programs using SAT": they enumerate the solutions, this file enumerates
// the complement, because clauses may be left out without harm).
//
//   clauses c = {0};
//   projector *p = projector_new (&pool, assumed, budget);
//   project_conditions (p, conditions, 3, 1000, &c);
//   if (!c.is_whole) ...;                       // all clauses hold, but others may be missing
//   projector_free (p), clauses_release (&c);
#ifndef LOCKSTEP_ABSTRACT_PROJECT_H
#define LOCKSTEP_ABSTRACT_PROJECT_H

#include "encode/decider.h"

// A literal is 2 * number of a condition + sign (1: the condition is false).
typedef struct clauses {
  VEC (uint32_t) literals;
  VEC (uint32_t) ends;         // by clause: index after its last literal
  bool is_whole;               // every valuation that satisfies the clauses is possible
} clauses;
void clauses_release (clauses *);
void clauses_add (clauses *, const uint32_t *literals, uint32_t count);
static inline uint32_t clauses_begin (const clauses *c, uint32_t k) { return k ? c->ends.data[k - 1] : 0; }

typedef struct projector projector;
projector *projector_new (term_pool *, term assumed, const budget *);
void projector_free (projector *);
// Adds clauses; those that are there already are not computed again. Makes at most `most_questions` queries.
void project_conditions (projector *, const term *conditions, uint32_t count, uint32_t most_questions, clauses *);
uint64_t projector_questions (const projector *);
// Can some valuation of the conditions satisfy all clauses with both values of `free`? Then the value is a choice.
bool clauses_leave_open (const clauses *, uint32_t count, uint32_t free);

#endif
