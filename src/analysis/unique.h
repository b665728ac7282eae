// Unique objects: abstract objects that stand for at most one concrete object at any time, in every execution. These
// are static objects, the object of an ALLOC edge that is taken at most once, and stack objects of a procedure of which
// only one activation at a time can run.
//
// Two addresses in use at the same moment, with the same unique object and the same known offset, are equal
// (must-alias): so they name the same lock.
#ifndef LOCKSTEP_UNIQUE_H
#define LOCKSTEP_UNIQUE_H

#include "analysis/pointsto.h"

typedef struct unique unique;

unique *unique_new (const ir_program *, const pointsto *);
void unique_free (unique *);
bool unique_object (const unique *, uint32_t object);  // an abstract object of the points-to analysis
// of a thread creation: returns whether every execution takes it at most once
bool unique_edge (const unique *, ir_edge);

#endif
