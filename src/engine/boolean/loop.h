// The engine on C programs: abstract, check, confirm or refine.
#ifndef LOCKSTEP_BOOLEAN_LOOP_H
#define LOCKSTEP_BOOLEAN_LOOP_H

#include "engine/boolean/model.h"
#include "engine/boolean/search.h"

void boolean_set_options (const task *, search_options *);   // those of the search
void boolean_refine (engine_run *);

#endif
