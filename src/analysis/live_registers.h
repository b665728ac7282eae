// The registers of a procedure that are live at its locations: read on some path from there before they get a new
// value.
#ifndef LOCKSTEP_LIVE_REGISTERS_H
#define LOCKSTEP_LIVE_REGISTERS_H

#include "base/dataflow.h"
#include "ir/ir.h"

typedef struct proc_liveness {
  dataflow flow;           // a node for each location; the numbers of registers are the caller's
  uint32_t *position;      // [location - smallest]: its node
  uint32_t smallest, span;
} proc_liveness;

// `number`: by register, less than `count`; IR_NONE: it does not matter whether this register is live.  NULL: every
// register is its own number, and `count` is how many there are.
void proc_liveness_find (proc_liveness *, const ir_program *, ir_proc, const uint32_t *number, uint32_t count);
bool proc_liveness_at (const proc_liveness *, ir_loc, uint32_t number);
void proc_liveness_release (proc_liveness *);

#endif
