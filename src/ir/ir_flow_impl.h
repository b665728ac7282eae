// The control flow of one procedure: order, predecessors, dominators.  Used by the transformations in this folder.
#ifndef LOCKSTEP_IR_FLOW_IMPL_H
#define LOCKSTEP_IR_FLOW_IMPL_H

#include "ir/ir_impl.h"

typedef struct ir_flow {
  const ir_program *p;
  VEC (ir_loc) order;       // locations reachable from the entry, in reverse postorder
  VEC (uint32_t) rank;      // per location of the program: its index in `order`, or IR_NONE; kept between procedures
  VEC (uint32_t) first_in;  // per rank: its incoming edges are in[first_in[r] .. first_in[r+1][
  VEC (ir_edge) in;
  VEC (uint32_t) idom;       // per rank: rank of the immediate dominator; of the entry: 0
  VEC (uint32_t) pre, last;  // per rank: preorder number in the dominator tree, and the largest number in its subtree
} ir_flow;

// The program must be finished, and its locations must not change before ir_flow_release.
void ir_flow_init (ir_flow *, const ir_program *);
void ir_flow_release (ir_flow *);
void ir_flow_compute (ir_flow *, ir_proc);                     // the entry must be a location of the procedure
bool ir_flow_dominates (const ir_flow *, ir_loc a, ir_loc b);  // is a on every path from the entry to b (reachable)?
ir_edge ir_flow_only_in (const ir_flow *, ir_loc);  // the only edge into the location; IR_NONE: the entry, or several

#endif
