// From a model to a schedule that the judge can replay.
#ifndef LOCKSTEP_ORDER_TRACE_H
#define LOCKSTEP_ORDER_TRACE_H

#include "engine/order/event_order.h"
#include "verdict/verdict.h"

// A thread whose next step is `step`.
typedef struct thread_position { uint32_t thread, step; ir_edge edge; } thread_position;

// The steps that are needed to bring the threads to these positions, and nothing else. Called after order_check has
// said YES, while the model is valid.
void trace_claim (const order *, const ir_program *, ir_property, const thread_position *, uint32_t count, claim *out);

#endif
