// Executions with few context switches (--context-bound): the sequence of nodes is divided into contexts 0, 1, ...,
// each of one thread. A violation must follow from nodes within the first `count` contexts. Nodes after these are
// unrestricted, since they need not be executed.
#ifndef LOCKSTEP_ORDER_CONTEXTS_H
#define LOCKSTEP_ORDER_CONTEXTS_H

#include "engine/order/event_order.h"

typedef struct contexts contexts;

// Called after order_new. Returns NULL if no execution of this program has more than `most_switches` switches.
contexts *contexts_new (order *, uint64_t most_switches);
void contexts_free (contexts *);
// The thread reaches the step (or executes the node that begins with the step) within the first `count` contexts.
term contexts_reached (const contexts *, uint32_t thread, uint32_t step, bool with_node);
void contexts_restrict_deadlocks (contexts *);   // all executed nodes must be within the bound

uint32_t contexts_count (const contexts *);      // number of contexts within the bound
// In the current model: the context of an executed node; contexts_count for every node after the bound.
uint32_t contexts_number (const contexts *, uint32_t node);
// the node is in this context or an earlier one
term contexts_at_most (const contexts *, uint32_t node, uint32_t number);

#endif
