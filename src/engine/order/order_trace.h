// From a model to the schedule that the interpreter can replay.
#ifndef LOCKSTEP_ORDER_TRACE_H
#define LOCKSTEP_ORDER_TRACE_H

#include "engine/order/event_order.h"
#include "verdict/verdict.h"

// A thread stands before this step.
typedef struct stand { uint32_t thread, step; ir_edge edge; } stand;

// What has to happen so that the threads stand there, and nothing else.  After order_check said YES, while its model is there.
void trace_claim (const order *, const ir_program *, ir_property, const stand *, uint32_t count, claim *out);

#endif
