// Is every state that a new symbolic state stands for also one of an old one? Paper BOOL, section 4, in both forms.
#ifndef LOCKSTEP_BOOLEAN_SUBSUME_H
#define LOCKSTEP_BOOLEAN_SUBSUME_H

#include "base/option.h"
#include "engine/boolean/qbf.h"
#include "engine/boolean/symbolic.h"

#define QBF_SOLVER_WORDS(WORD) WORD (QBF_OWN, "own") WORD (QBF_DEPQBF, "depqbf") WORD (QBF_BOTH, "both")
typedef enum qbf_solver { QBF_SOLVER_WORDS (OPTION_WORD_ID) } qbf_solver;
#define QBF_FORM_WORDS(WORD) WORD (QBF_AUTO, "auto") WORD (QBF_INPUTS, "inputs") WORD (QBF_STATE, "state")
typedef enum qbf_form { QBF_FORM_WORDS (OPTION_WORD_ID) } qbf_form;

typedef struct subsumption {
  const state_layout *layout;
  const aig *graph;            // graph of the states
  const budget *budget;
  qbf_solver solver;
  qbf_form form;
  cone of_new, of_old;
  VEC (bool) needed_groups;          // by group of the new state: it matters for the current group of the old state
  bool disagreed;              // the two solvers disagreed; no answer is used any more
  uint64_t asked[QBF_STATE + 1];  // queries by form, which is not QBF_AUTO
  uint64_t rounds, by_table;   // guesses of our own solver; queries that were decided by tables
} subsumption;
void subsumption_release (subsumption *);
// The threads of both states must have the same locations. SAT_YES: `fresh` is subsumed.
sat_answer subsumes (subsumption *, const sym_state *old, const sym_state *fresh);

#endif
