// Executions with few context switches (--context-bound): the line of nodes is cut into contexts 0, 1, ..., each of them of one thread.  What is
// looked for has to stand behind nodes of the first so many contexts; what happens after these is not restricted, for it need not happen.
#ifndef LOCKSTEP_ORDER_CONTEXTS_H
#define LOCKSTEP_ORDER_CONTEXTS_H

#include "engine/order/event_order.h"

typedef struct contexts contexts;

// After order_new.  NULL: no execution of this program has more than so many switches.
contexts *contexts_new (order *, uint64_t most_switches);
void contexts_free (contexts *);
// The thread has got to the step, or to the node that begins with it, within the contexts that count.
term contexts_reached (const contexts *, uint32_t thread, uint32_t step, bool with_node);
void contexts_restrict_deadlocks (contexts *);   // all that happens counts

uint32_t contexts_count (const contexts *);      // that count
// In the present model: the context of a node that happens, one more than the last for all that comes after them.
uint32_t contexts_number (const contexts *, uint32_t node);
term contexts_at_most (const contexts *, uint32_t node, uint32_t number);  // its context is not a later one

#endif
