// What a pointer may point into: inclusion-based (Andersen 1994), flow- and context-insensitive, for all threads together.
//
//   pointsto *p = pointsto_new (program);
//   pointsto_set s = pointsto_arg (p, load, 0);         // the objects a load may read
//   if (s.anything || ...) ...
//   pointsto_free (p);
//
// An answer holds for every execution in which each pointer is used as C allows.  Taken for granted:
//   - arithmetic on a pointer does not lead from one object into another (the sum of a pointer and a far too large index does
//     not become a pointer to the object with another number), nor do pieces of two objects' numbers make that of a third;
//   - an address comes from an address, from a wide `nondet` (then: anything), or is a constant that names a static object.  What
//     is read from uninitialised memory, and what is pieced together from narrow inputs, is no address;
//   - a pointer to a dead object is not used to reach the object that got its number (possible with 32-bit pointers only).
// Breaking one of these is undefined in C.  For the second, executors try null and 1 for an uninitialised value as well, so
// using it as an address shows as a memory error.
#ifndef LOCKSTEP_POINTSTO_H
#define LOCKSTEP_POINTSTO_H

#include "ir/ir.h"

typedef struct pointsto pointsto;
typedef struct pointsto_set {
  bool anything;            // may point into every object; the list is empty then
  uint32_t count;
  const uint32_t *objects;  // [0..count[, ascending; owned by the analysis
} pointsto_set;

pointsto *pointsto_new (const ir_program *);
void pointsto_free (pointsto *);

// Abstract objects: the static objects by their id (1..objects.count-1; a thread-local stands for all its copies), then one
// per ALLOC edge, which stands for all it ever makes.
uint32_t pointsto_num_objects (const pointsto *);
uint32_t pointsto_site (const pointsto *, ir_edge alloc);

// What argument k of the edge may point into.  Null is never listed; an empty set means that it is no pointer, null, or
// that the edge is never reached.
pointsto_set pointsto_arg (const pointsto *, ir_edge, unsigned k);
bool pointsto_may (const pointsto *, ir_edge, unsigned k, uint32_t object);

#endif
