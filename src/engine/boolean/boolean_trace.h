// Turns a failing assertion into an execution of the program.
#ifndef LOCKSTEP_BOOLEAN_TRACE_H
#define LOCKSTEP_BOOLEAN_TRACE_H

#include "engine/boolean/symbolic_search.h"
#include "verdict/verdict.h"

// Makes the claim for the program that bp_lower has made of the Boolean one. Returns false after an internal error:
// *why says which.
bool boolean_claim (const symbolic_search *, uint32_t at, uint32_t thread, const ir_program *, const semantics *,
                    verdict *, claim *out, const char **why);

#endif
