// The engine on C programs: abstract, check, confirm or refine.
#ifndef LOCKSTEP_BOOLEAN_LOOP_H
#define LOCKSTEP_BOOLEAN_LOOP_H

#include "engine/boolean/search.h"
#include "engine/engine.h"

enum { LOOP_PROPERTIES = 1u << IR_P_ASSERT | 1u << IR_P_LOCKS | 1u << IR_P_MEMORY | 1u << IR_P_OVERFLOW };

void boolean_set_options (const task *, search_options *);   // those of the search
void boolean_refine (engine_run *);

#endif
