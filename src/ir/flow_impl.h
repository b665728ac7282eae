// The control flow of one procedure: order, predecessors, dominators.  For the transformations in this folder.
#ifndef LOCKSTEP_IR_FLOW_IMPL_H
#define LOCKSTEP_IR_FLOW_IMPL_H

#include "ir/ir_impl.h"

typedef struct ir_flow {
  const ir_program *p;
  VEC (ir_loc) order;       // locations reachable from the entry, in reverse postorder
  VEC (uint32_t) rank;      // per location of the program: its place in order, or IR_NONE; kept between procedures
  VEC (uint32_t) first_in;  // per rank: its incoming edges are in[first_in[r] .. first_in[r+1][
  VEC (ir_edge) in;
  VEC (uint32_t) idom;       // per rank: rank of the immediate dominator; of the entry: 0
  VEC (uint32_t) pre, last;  // per rank: preorder number in the dominator tree, and the largest one below
} ir_flow;

void ir_flow_init (ir_flow *,
                   const ir_program *);  // the program is finished; its locations stay as they are until release
void ir_flow_release (ir_flow *);
void ir_flow_compute (ir_flow *, ir_proc);                     // the entry should be one of its locations
bool ir_flow_dominates (const ir_flow *, ir_loc a, ir_loc b);  // on every path from the entry to b?  Both are reachable
ir_edge ir_flow_only_in (const ir_flow *, ir_loc);  // the one edge into it; IR_NONE if it is the entry or has several

#endif
