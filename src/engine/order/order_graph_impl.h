// The graph itself, for order_graph.c, which builds it, and order_line.c, which puts its nodes into a line.
#ifndef LOCKSTEP_ORDER_GRAPH_IMPL_H
#define LOCKSTEP_ORDER_GRAPH_IMPL_H

#include "engine/order/order_graph.h"

enum { REASON_ROOM = 4 };

typedef struct graph_edge {
  uint32_t from, to;  // active nodes
  uint32_t next;      // edge from the same node, or IR_NONE
  uint32_t num_reasons;
  term reasons[REASON_ROOM];
  uint32_t path_from, path_to;  // ... and because there is a path between these, of earlier edges; IR_NONE: not so
} graph_edge;

struct order_graph {
  order *o;
  const unwound *u;
  uint32_t num_threads, num_active;
  VEC (uint32_t) active;           // nodes
  VEC (uint32_t) number;           // by node: index in active, or IR_NONE
  VEC (uint32_t) position;         // by active node: among those of its thread
  VEC (VEC (uint32_t)) of_thread;  // active nodes of each thread, in program order
  uint32_t *after;                 // [active * num_threads + thread]: so many active nodes of the thread come before it
  VEC (graph_edge) edges;
  VEC (uint32_t) first_edge;  // by active node
  VEC (uint32_t) writer;      // by event: of a read, the chosen reading; IR_NONE: it does not happen
  VEC (bool) event_happens;
  VEC (bool) shown;       // by event: ... and others see it, if it is a write
  VEC (ir_value) offset;  // by event
  uint32_t conflicts;
  VEC (term) clauses;      // of the conflicts, each ended by TERM_NONE: the model must stay while it is looked at
  VEC (uint32_t) touched;  // worklist
};

static inline const unwound_event *event_at (const order_graph *g, uint32_t e) { return &g->u->events.data[e]; }
static inline uint32_t thread_of (const order_graph *g, uint32_t a) { return g->u->nodes.data[g->active.data[a]].thread; }
static inline uint32_t *after_of (const order_graph *g, uint32_t a) { return g->after + (size_t) a * g->num_threads; }

// order_line.c: after all rules, without a conflict.  False: the solver has to say more about the order, and will when it is asked again.
bool order_graph_find_line (order_graph *);

#endif
