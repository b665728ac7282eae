// The graph itself, for order_graph.c, which builds it, and order_line.c, which finds a linear order of its nodes.
#ifndef LOCKSTEP_ORDER_GRAPH_IMPL_H
#define LOCKSTEP_ORDER_GRAPH_IMPL_H

#include "engine/order/order_graph.h"

enum { REASON_ROOM = 4 };

typedef struct graph_edge {
  uint32_t from, to;  // active nodes
  uint32_t next;      // edge from the same node, or IR_NONE
  uint32_t num_reasons;
  term reasons[REASON_ROOM];
  uint32_t path_from, path_to;  // ... and there is a path of earlier edges between these; IR_NONE: no path is needed
} graph_edge;

struct order_graph {
  order *o;
  const unwound *u;
  uint32_t num_threads, num_active;
  VEC (uint32_t) active;           // nodes
  VEC (uint32_t) number;           // by node: index into active, or IR_NONE
  VEC (uint32_t) position;         // by active node: its index among the active nodes of its thread
  VEC (VEC (uint32_t)) of_thread;  // active nodes of each thread, in program order
  uint32_t *after;  // [active * num_threads + thread]: number of active nodes of the thread that come before it
  VEC (graph_edge) edges;
  VEC (uint32_t) first_edge;  // by active node
  VEC (uint32_t) writer;      // by event: of a read, index of the chosen candidate; IR_NONE: not executed
  VEC (bool) event_happens;
  VEC (bool) shown;       // by event: ... and, if it is a write, other threads can see it
  VEC (ir_value) offset;  // by event
  uint32_t conflicts;
  // of the conflicts, each ended by TERM_NONE; added later, since the model must not change while it is read
  VEC (term) clauses;
  VEC (uint32_t) touched;  // worklist
};

static inline uint32_t thread_of_active (const order_graph *g, uint32_t a) {
  return g->u->nodes.data[g->active.data[a]].thread;
}
static inline uint32_t *after_of (const order_graph *g, uint32_t a) { return g->after + (size_t) a * g->num_threads; }

// order_line.c: called after all rules, if there is no conflict. False: the solver has to choose more of the order, and
// does so in its next model.
bool order_graph_find_line (order_graph *);

#endif
