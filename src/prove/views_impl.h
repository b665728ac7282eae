// The and-inverter graph of a `views` (views.h) copied into a netlist, to which latches for the bits of a view are
// added (views_check.c, views_bdd.c).
#ifndef LOCKSTEP_VIEWS_IMPL_H
#define LOCKSTEP_VIEWS_IMPL_H

#include "prove/views.h"

typedef struct views_circuit {
  const views *from;
  netlist net;                 // each input of the graph is an input of the netlist, not a latch
  VEC (aig_lit) image;         // by node of the graph
} views_circuit;

void views_circuit_init (views_circuit *, const views *);
void views_circuit_release (views_circuit *);
aig_lit views_circuit_image (const views_circuit *, aig_lit);
// The value of `bit` in `view` before the step.
aig_lit views_circuit_seen (const views_circuit *, uint32_t view, uint32_t bit);

#endif
