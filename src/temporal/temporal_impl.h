// Declarations shared by the files of this folder.
#ifndef LOCKSTEP_TEMPORAL_IMPL_H
#define LOCKSTEP_TEMPORAL_IMPL_H

#include "temporal/temporal.h"

// ---- temporal_names.c: names of the program.  False: *why, in the pool's arena, says what is wrong ----
bool resolve_threads (temporal *, const char *name, temporal_threads *, const char **why);
bool resolve_place (temporal *, const char *name, const bool **locs, const char **why);
bool resolve_lock (temporal *, const char *name, temporal_lock *, const char **why);
bool resolve_operand (temporal *, const char *text, temporal_operand *, const char **why);  // a variable or a number

#endif
