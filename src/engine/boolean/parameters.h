// Formulas for the variables of a group that depend only on which values they can have together.
//
// The paper names it as future work (section 6, [30]): a parametric representation that is canonical for an order of the variables.  Variable k has a choice of its own:
//
//   given the values of the variables before it: if both values are possible, it is its choice; else it is the one that is possible
//
// The guard of the group is part of that.  Only for groups of few variables and choices, whose set of values fits into a table.
#ifndef LOCKSTEP_BOOLEAN_PARAMETERS_H
#define LOCKSTEP_BOOLEAN_PARAMETERS_H

#include "engine/boolean/truth.h"

enum { PARAMETER_VARIABLES = 12 };
typedef struct value_set { uint64_t word[1 << (PARAMETER_VARIABLES - TRUTH_WORD_INPUTS)]; } value_set;   // bit v: the values v, variable k is bit k

// False: the group is too large.  Else the set is not empty if the guard can be satisfied.
bool parameters_find (truth *, const aig *, const aig_lit *values, uint32_t num_values, const aig_lit *guard, uint32_t num_guard, value_set *);
// values[k] becomes a formula over choices[0..k].
void parameters_build (aig *, const value_set *, uint32_t num_values, const aig_lit *choices, aig_lit *values);

#endif
