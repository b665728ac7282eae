// Turns a path of the circuit into an execution of the program.
#ifndef LOCKSTEP_CIRCUIT_TRACE_H
#define LOCKSTEP_CIRCUIT_TRACE_H

#include "engine/circuit/circuit_lower.h"
#include "verdict/verdict.h"

// Returns the requested goal that is violated at the end of the path; IR_NONE: there is none. *out is the claim that
// the interpreter has to replay.
uint32_t circuit_trace (transition_system *, const lowered *, const ir_program *, const net_path *, const bool *asked,
                        claim *out);
// Returns the omission that the path ends in; NULL: there is none.
const system_omission *circuit_trace_omission (transition_system *, const lowered *, const ir_program *,
                                               const net_path *);
// The claim of a lasso: the steps before the loop, the loop `before` times, and `inside` times more as the loop of the
// claim.
void circuit_trace_run (transition_system *, const lowered *, const ir_program *, const net_path *, uint32_t before,
                        uint32_t inside, claim *out);

#endif
