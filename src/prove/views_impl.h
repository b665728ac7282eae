// The graph of views as a circuit of its own, to which latches for the bits of a view are added (views_check.c,
// views_bdd.c).
#ifndef LOCKSTEP_VIEWS_IMPL_H
#define LOCKSTEP_VIEWS_IMPL_H

#include "prove/views.h"

typedef struct views_circuit {
  const views *from;
  netlist net;                 // all inputs of the graph are inputs
  VEC (aig_lit) image;         // by node of the graph
} views_circuit;

void views_circuit_init (views_circuit *, const views *);
void views_circuit_release (views_circuit *);
aig_lit views_circuit_image (const views_circuit *, aig_lit);
aig_lit views_circuit_seen (const views_circuit *, uint32_t view, uint32_t bit);

#endif
