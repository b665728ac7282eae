// Backward data flow over sets of small numbers: which of them are live at the nodes of a graph.  A number is live
// at a node that reads it, and at a node with an edge to a node at which it is live, unless the edge kills it.
//
//   dataflow d;
//   dataflow_init (&d, num_nodes, num_numbers);
//   dataflow_read (&d, node, x);                                  // once for each read
//   dataflow_edge (&d, node, next);  dataflow_kill (&d, y);       // once for each edge, then for each number it kills
//   dataflow_solve (&d);
//   if (dataflow_is_live (&d, node, x)) ...
//   dataflow_release (&d);
//
// Used for live variables of several program representations.  Not every liveness analysis has this shape:
// efsm/forget.c looks for faint variables, where what a node reads depends on what is live behind it.
#ifndef LOCKSTEP_DATAFLOW_H
#define LOCKSTEP_DATAFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct dataflow_arc {
  uint32_t from, to, first_kill, num_kills;
} dataflow_arc;

typedef struct dataflow {
  uint32_t num_nodes, words;     // words: of 64 bits, for the set of one node
  uint64_t *live;                // [words * node]
  VEC (dataflow_arc) arcs;
  VEC (uint32_t) kills;          // numbers, by arc
} dataflow;

void dataflow_init (dataflow *, uint32_t num_nodes, uint32_t num_numbers);
void dataflow_read (dataflow *, uint32_t node, uint32_t number);
void dataflow_edge (dataflow *, uint32_t from, uint32_t to);
void dataflow_kill (dataflow *, uint32_t number);                   // by the edge that was added last
void dataflow_solve (dataflow *);                                   // once, after all of these
bool dataflow_is_live (const dataflow *, uint32_t node, uint32_t number);
const uint64_t *dataflow_live_at (const dataflow *, uint32_t node); // [0..words[
void dataflow_release (dataflow *);

#endif
