// The order in which the locations of a procedure are unwound: every location comes after all locations that lead to
// it, and loops are unwound one iteration after the other.
//
//   loops l;
//   loops_init (&l, program);
//   loops_need (&l, proc);                     // computes it once
//   l.rank.data[loc.i]                         // position in the procedure
// head of the innermost loop around the location (the location itself if it is a head); IR_NONE: none
//   l.outer.data[head.i]                       // the loop around that loop
#ifndef LOCKSTEP_ORDER_LOOPS_H
#define LOCKSTEP_ORDER_LOOPS_H

#include "ir/ir.h"

typedef struct loop_nesting {
  const ir_program *program;
  VEC (uint32_t) rank, loop, outer, depth;  // by location; depth: number of loops around it
  VEC (uint8_t) known;         // by procedure
  VEC (uint32_t) deepest;      // by procedure: the greatest depth in it
  VEC (uint8_t) endless;       // by location: head of a loop that no edge leaves
} loop_nesting;

void loops_init (loop_nesting *, const ir_program *);
void loops_release (loop_nesting *);
void loops_need (loop_nesting *, ir_proc);
// the location is in the loop with this head
bool loops_contains (const loop_nesting *, uint32_t head, uint32_t location);

#endif
