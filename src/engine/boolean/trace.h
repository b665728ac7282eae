// From a failing assertion back to an execution of the program.
#ifndef LOCKSTEP_BOOLEAN_TRACE_H
#define LOCKSTEP_BOOLEAN_TRACE_H

#include "engine/boolean/search.h"
#include "verdict/verdict.h"

// The claim for the program that bp_lower has made of the Boolean one.  False: *why says what went wrong, which is a mistake of ours.
bool boolean_claim (const search *, uint32_t at, uint32_t thread, const ir_program *, const semantics *, verdict *, claim *out, const char **why);

#endif
