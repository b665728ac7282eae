// Tickets: numbers drawn from a counter, that is, a static variable which nothing changes but atomic additions of 1. If
// these can happen only so often in an execution, the numbers drawn are below that, and a location that needs a larger
// number is never reached (the code of a library model for a full table, for example).
#ifndef LOCKSTEP_TICKETS_H
#define LOCKSTEP_TICKETS_H

#include "analysis/pointsto.h"

typedef struct tickets tickets;

tickets *tickets_new (const ir_program *, const pointsto *);  // program and points-to must live as long as the result
void tickets_free (tickets *);
// Returns false if the procedure reaches the location only by a branch on a number that is never drawn
bool tickets_allow (const tickets *, ir_loc);

#endif
