// Formulas for the variables of a group that depend only on the set of values that they can have together.
//
// The paper names this as future work (section 6, [30]): a parametric representation that is canonical for an order of
// the variables. Variable k has a choice of its own:
//
//   given the values of the variables before it: if both values are possible, it is its choice;
//   else it is the possible value
//
// The guard of the group is part of that. This is only done for groups of few variables and choices, whose set of
// values fits into a table.
#ifndef LOCKSTEP_BOOLEAN_PARAMETERS_H
#define LOCKSTEP_BOOLEAN_PARAMETERS_H

#include "engine/boolean/truth.h"

enum { PARAMETER_VARIABLES = 12 };
// Bit v: the values v are possible, where variable k is bit k of v.
typedef struct parameter_values { uint64_t word[1 << (PARAMETER_VARIABLES - TRUTH_WORD_INPUTS)]; } parameter_values;

// Returns false if the group is too large. Else the set is not empty if the guard can be satisfied.
bool parameters_find (truth *, const aig *, const aig_lit *values, uint32_t num_values, const aig_lit *guard,
                      uint32_t num_guard, parameter_values *);
// Replaces values[k] by a formula over choices[0..k].
void parameters_build (aig *, const parameter_values *, uint32_t num_values, const aig_lit *choices, aig_lit *values);

#endif
