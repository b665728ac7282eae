// Which values of a procedure are worth knowing on a path, and where: those that decide what happens to locks.
#ifndef LOCKSTEP_LOCKS_KNOWLEDGE_H
#define LOCKSTEP_LOCKS_KNOWLEDGE_H

#include "engine/locks/analysis.h"

void find_knowledge (lock_analysis *);                                 // fills summaries[].interesting and `live`
bool knowledge_wants (const lock_analysis *, ir_proc, value);
void knowledge_drop (const lock_analysis *, ir_loc, effect *);         // what is known but not tested any more from there on

#endif
