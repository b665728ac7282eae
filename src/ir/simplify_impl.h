// The passes of ir_simplify.
#ifndef LOCKSTEP_IR_SIMPLIFY_IMPL_H
#define LOCKSTEP_IR_SIMPLIFY_IMPL_H

#include "ir/ir_flow_impl.h"

// compact.c: folds constant branches, removes nops and unreachable locations.  Leaves the program finished.
void simplify_shape (ir_program *);
void simplify_registers (ir_program *, ir_proc);  // removes registers that no edge uses
// ir_substitute.c: replaces uses of registers by the values of the registers.  True if anything changed.
bool simplify_uses (ir_program *, ir_flow *, ir_proc);
// simplify.c: turns assigns and nondets whose result is never read into nops.  True if there was one.
bool simplify_dead (ir_program *, ir_proc);

static inline void simplify_to_nop (ir_edge_data *e) {
  e->op = IR_NOP;
  e->num_args = e->num_name_args = 0;
  e->dst.i = e->dst2.i = IR_NONE;
  e->message = e->name = NULL;
  e->aux = 0;
  e->origin = IR_INPUT;
}

#endif
