// Which abstract objects stand for at most one concrete object at any time, in every execution: static ones; what an ALLOC edge
// makes that is taken at most once; stack objects of a procedure of which only one activation at a time can run.
//
// Two addresses in use at the same moment, with the same unique object and the same known offset, are equal: so two locks.
#ifndef LOCKSTEP_UNIQUE_H
#define LOCKSTEP_UNIQUE_H

#include "analysis/pointsto.h"

typedef struct unique unique;

unique *unique_new (const ir_program *, const pointsto *);
void unique_free (unique *);
bool unique_object (const unique *, uint32_t object);  // an abstract object of the points-to analysis
bool unique_edge (const unique *, ir_edge);            // of a thread creation: in every execution it is taken at most once

#endif
