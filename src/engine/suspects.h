// Candidate pairs: all pairs of positions that may race.  What one engine has excluded, the others need not examine.
//
//   suspects s;
//   suspects_init (&s, program);
//   suspects_add (&s, here, there);
//   if (suspects_have (&s, edge, other)) ...
//   suspects_release (&s);
#ifndef LOCKSTEP_SUSPECTS_H
#define LOCKSTEP_SUSPECTS_H

#include "base/map.h"
#include "ir/ir.h"

typedef struct suspects {
  map pairs;                   // of positions, as one hash
  VEC (uint64_t) place;        // by edge; ANYWHERE: in a library model, which is shown where the program calls it
} suspects;

void suspects_init (suspects *, const ir_program *);
void suspects_release (suspects *);
void suspects_add (suspects *, ir_position, ir_position);
bool suspects_have (const suspects *, ir_edge, ir_edge);   // NULL: every pair is a candidate

#endif
