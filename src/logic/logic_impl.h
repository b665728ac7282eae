// Declarations shared by the files of this folder.
#ifndef LOCKSTEP_LOGIC_IMPL_H
#define LOCKSTEP_LOGIC_IMPL_H

#include "logic/logic.h"

// ---- buchi_reduce.c ----
// Removes states and edges that no accepted word needs and merges bisimilar states. The accepted words, finite and
// infinite, stay the same.
void buchi_reduce (buchi *);

#endif
