// The order in which the nodes of one model are executed, or the clauses that say why there is no such order.
#ifndef LOCKSTEP_ORDER_GRAPH_H
#define LOCKSTEP_ORDER_GRAPH_H

#include "engine/order/event_order.h"

typedef struct order_graph order_graph;

order_graph *order_graph_new (order *);          // of the decider's current model
void order_graph_free (order_graph *);
// True: order->line holds the nodes. False: clauses were added to the decider that exclude this model.
bool order_graph_line_up (order_graph *);
bool order_graph_before (const order_graph *, uint32_t m, uint32_t n);
bool order_graph_is_executed (const order_graph *, uint32_t node);
uint32_t order_graph_writer (const order_graph *, uint32_t read);

#endif
