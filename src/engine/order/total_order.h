// One literal for every two nodes of different threads: which of them comes first. Small programs get these literals,
// because the solver then propagates the order at once; if that needs too many clauses, the order is left to the cycles
// of order_graph.c.
#ifndef LOCKSTEP_ORDER_TOTAL_ORDER_H
#define LOCKSTEP_ORDER_TOTAL_ORDER_H

#include "engine/order/event_order.h"

enum { ORDER_CLAUSES = 1500000 };                // with more clauses than this there is no total order
typedef struct total_order total_order;

total_order *total_order_new (order *);  // NULL: too many clauses. Called after the read-from candidates were added
void total_order_free (total_order *);
term total_order_before (const total_order *, uint32_t a, uint32_t b);  // node a comes before node b
void total_order_add_race (total_order *, const race_pair *);
void total_order_add_stuck (total_order *, const lasting_wait *);
// The order of the current model, restricted to the nodes in `happens`: fills o->line.
void total_order_line_up (total_order *, const bool *executed);

#endif
