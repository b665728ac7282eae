// Is every state that a new symbolic state stands for also one of an old one?  Paper BOOL, section 4, in both forms.
#ifndef LOCKSTEP_BOOLEAN_SUBSUME_H
#define LOCKSTEP_BOOLEAN_SUBSUME_H

#include "engine/boolean/qbf.h"
#include "engine/boolean/symbolic.h"

typedef enum qbf_solver { QBF_OWN, QBF_DEPQBF, QBF_BOTH } qbf_solver;
typedef enum qbf_form { QBF_INPUTS, QBF_STATE, QBF_AUTO } qbf_form;

typedef struct subsumption {
  const layout *layout;
  const aig *graph;            // of the states
  const budget *budget;
  qbf_solver solver;
  qbf_form form;
  cone of_new, of_old;
  VEC (bool) touched;          // by group of the new state: it matters for the old group at hand
  bool disagreed;              // the two solvers; nothing is believed any more
  uint64_t asked[2], rounds, by_table;   // by form; guesses of our own solver; those that it did not see
} subsumption;
void subsumption_release (subsumption *);
// Both stand at the same places.  SAT_YES: it is.
sat_answer subsumes (subsumption *, const sym_state *old, const sym_state *fresh);

#endif
