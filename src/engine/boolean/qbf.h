// Formulas `for all universals there are existentials such that matrix`, about an and-inverter graph of their own.
#ifndef LOCKSTEP_BOOLEAN_QBF_H
#define LOCKSTEP_BOOLEAN_QBF_H

#include "encode/cone.h"
#include "solver/sat.h"

typedef struct qbf {
  aig graph;
  VEC (bool) is_existential;   // by input of the graph; the others are universals
  aig_lit matrix;
} qbf;
void qbf_init (qbf *);
void qbf_release (qbf *);
aig_lit qbf_universal (qbf *);
aig_lit qbf_existential (qbf *);

// Each decider returns SAT_YES if the formula is true.
// our own; the graph grows, *rounds counts guesses
sat_answer qbf_decide (qbf *, const budget *, uint64_t *rounds);
sat_answer qbf_decide_by_depqbf (const qbf *, const budget *);
bool qbf_decide_by_table (const qbf *, sat_answer *);                      // false: the formula has too many variables

#endif
