// Threads that may go first alone: paper BOOL, section 3.4.
#ifndef LOCKSTEP_BOOLEAN_REDUCE_H
#define LOCKSTEP_BOOLEAN_REDUCE_H

#include "engine/boolean/search.h"

typedef struct reduction reduction;
reduction *reduction_new (search *);
void reduction_free (reduction *);
// The thread whose steps are all that has to be looked at in this state; BP_NONE: all threads.
uint32_t reduction_choose (reduction *, const sym_state *);

#endif
