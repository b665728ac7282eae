// DepQBF, for a second opinion on formulas `for all ... there are ...` in clauses.
#ifndef LOCKSTEP_DEPQBF_H
#define LOCKSTEP_DEPQBF_H

#include "base/vec.h"
#include "solver/sat.h"

typedef struct quantified_clauses {
  VEC (int) universals;        // quantified first; variables are positive numbers
  VEC (int) existentials;      // all others
  VEC (int) clauses;           // each ends with 0
} quantified_clauses;

sat_answer depqbf_solve (const quantified_clauses *, const budget *);   // SAT_YES: it is true

#endif
