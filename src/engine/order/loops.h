// The order in which the locations of a procedure are unwound: every location after all that lead to it, loops round by round.
//
//   loops l;
//   loops_init (&l, program);
//   loops_need (&l, proc);                     // computes it once
//   l.rank.data[loc.i]                         // position in the procedure
//   l.loop.data[loc.i]                         // head of the innermost loop around it, itself if it is one; IR_NONE: in none
//   l.outer.data[head.i]                       // the loop around that loop
#ifndef LOCKSTEP_ORDER_LOOPS_H
#define LOCKSTEP_ORDER_LOOPS_H

#include "ir/ir.h"

typedef struct loops {
  const ir_program *program;
  VEC (uint32_t) rank, loop, outer, depth;  // by location; depth: number of loops around it
  VEC (uint8_t) known;         // by procedure
  VEC (uint32_t) deepest;      // the same: the greatest depth in it
  VEC (uint8_t) endless;       // by location: it is the head of a loop that no edge leaves
} loops;

void loops_init (loops *, const ir_program *);
void loops_release (loops *);
void loops_need (loops *, ir_proc);
bool loops_contains (const loops *, uint32_t head, uint32_t location);  // is the location in the loop of this head?

#endif
