// A path of the circuit as an execution of the program.
#ifndef LOCKSTEP_CIRCUIT_TRACE_H
#define LOCKSTEP_CIRCUIT_TRACE_H

#include "engine/circuit/lower.h"
#include "verdict/verdict.h"

// The goal that holds at the end of the path, of those that are asked for; IR_NONE: none does.  *out is the claim that the interpreter is to replay.
uint32_t circuit_trace (transition_system *, const lowered *, const ir_program *, const net_path *, const bool *asked, claim *out);
// The loss that holds at the end of the path; NULL: none does.
const system_loss *circuit_trace_loss (transition_system *, const lowered *, const ir_program *, const net_path *);
// Of a lasso: what comes before its loop, the loop `before` times, and `inside` times more as the loop of the claim.
void circuit_trace_run (transition_system *, const lowered *, const ir_program *, const net_path *, uint32_t before, uint32_t inside, claim *out);

#endif
