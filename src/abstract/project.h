// What a condition says about some others: the clauses over them that follow from it, found by a SAT solver.  This is the heart of the abstraction: with the predicates before a step it gives
// the guard, with one predicate after it as well the cartesian abstraction of an assignment, with all of them the exact one (Clarke, Kroening, Sharygina, Yorav 2004, "Predicate abstraction of
// ANSI-C programs using SAT": there the solutions are enumerated, here their complement is, because clauses may be left out without harm).
//
//   clauses c = {0};
//   projector *p = projector_new (&pool, assumed, budget);
//   project (p, conditions, 3, 1000, &c);
//   if (!c.is_whole) ...;                       // all clauses hold, but others may be missing
//   projector_free (p), clauses_release (&c);
#ifndef LOCKSTEP_ABSTRACT_PROJECT_H
#define LOCKSTEP_ABSTRACT_PROJECT_H

#include "encode/decide.h"

// A literal is 2 * number of a condition + sign (1: it does not hold).
typedef struct clauses {
  VEC (uint32_t) literals;
  VEC (uint32_t) ends;         // by clause: where its literals end
  bool is_whole;               // every valuation that satisfies them is possible
} clauses;
void clauses_release (clauses *);
void clauses_add (clauses *, const uint32_t *literals, uint32_t count);
static inline uint32_t clauses_begin (const clauses *c, uint32_t k) { return k ? c->ends.data[k - 1] : 0; }

typedef struct projector projector;
projector *projector_new (term_pool *, term assumed, const budget *);
void projector_free (projector *);
// Adds clauses; those that are there already need not be found again.  Asks at most so many questions.
void project (projector *, const term *conditions, uint32_t count, uint32_t most_questions, clauses *);
uint64_t projector_questions (const projector *);
// Can some valuation of the conditions satisfy all clauses, with `free` having both values?  Then it takes a choice.
bool clauses_leave_open (const clauses *, uint32_t count, uint32_t free);

#endif
