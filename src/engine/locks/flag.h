// Variables by which one thread tells others how far it is.  Who has seen such a variable with another value than the first knows that the thread is past all that it does before
// it writes the variable.
#ifndef LOCKSTEP_LOCKS_FLAG_H
#define LOCKSTEP_LOCKS_FLAG_H

#include "engine/locks/analysis.h"

void find_flags (lock_analysis *);
void flags_release (lock_analysis *);
bool flag_seen (lock_analysis *, ir_edge assume, lock_use *fact);  // behind the edge it is known that the flag was written
// A thread of the kind is not there any more when another one knows these facts.
bool flags_exclude (lock_analysis *, uint32_t kind, ir_loc, uint32_t facts);

#endif
