// Whether each thread gives back its locks in the reverse order of taking them: only then is LOCK theorem 5 exact.
#ifndef LOCKSTEP_LOCKS_NESTING_H
#define LOCKSTEP_LOCKS_NESTING_H

#include "engine/locks/analysis.h"

void find_nesting (lock_analysis *);                             // after find_trust; sets nested, unnested, later, uncertain
const char *nesting_note (lock_analysis *, arena *);             // how the answer is to be read; NULL: there are no locks

#endif
