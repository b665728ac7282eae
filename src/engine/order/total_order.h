// One literal for every two nodes of different threads: which comes first.  Small programs get it, because then the solver knows at once what
// an order forbids; where it would be too many clauses the order is left to the cycles of order_graph.c.
#ifndef LOCKSTEP_ORDER_TOTAL_ORDER_H
#define LOCKSTEP_ORDER_TOTAL_ORDER_H

#include "engine/order/event_order.h"

enum { ORDER_CLAUSES = 1500000 };                // more of them than this and there is no total order
typedef struct total_order total_order;

total_order *total_order_new (order *);                  // NULL: too many.  The readings should be there already
void total_order_free (total_order *);
term total_order_before (const total_order *, uint32_t a, uint32_t b);  // nodes: the first comes first
void total_order_add_race (total_order *, const race_pair *);
void total_order_add_stuck (total_order *, const stuck_wait *);
// The order of the present model, as far as `happens` says so: fills o->line.
void total_order_line_up (total_order *, const bool *happens);

#endif
