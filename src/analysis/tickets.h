// Numbers that are drawn from a counter: a static variable that nothing changes but atomic additions of 1.  Where they can happen only so often in an execution, the numbers drawn are
// below that, and what would need a larger one is never reached (a model's table that is full).
#ifndef LOCKSTEP_TICKETS_H
#define LOCKSTEP_TICKETS_H

#include "analysis/pointsto.h"

typedef struct tickets tickets;

tickets *tickets_new (const ir_program *, const pointsto *);  // both should live as long as the result
void tickets_free (tickets *);
bool tickets_allow (const tickets *, ir_loc);  // false: its procedure gets there only by a branch on a number that is never drawn

#endif
