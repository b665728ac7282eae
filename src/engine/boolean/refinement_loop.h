// The engine on C programs: abstract, check, confirm or refine.
#ifndef LOCKSTEP_BOOLEAN_REFINEMENT_LOOP_H
#define LOCKSTEP_BOOLEAN_REFINEMENT_LOOP_H

#include "engine/boolean/boolean_model.h"
#include "engine/boolean/symbolic_search.h"

void boolean_set_options (const task *, search_options *);   // sets the options of the search
void boolean_refine (engine_run *);

#endif
