// Points-to analysis: inclusion-based (Andersen 1994), flow- and context-insensitive, for all threads together.
//
//   pointsto *p = pointsto_new (program);
//   pointsto_set s = pointsto_arg (p, load, 0);         // the objects a load may read
//   if (s.anything || ...) ...
//   pointsto_free (p);
//
// An answer holds for every execution in which each pointer is used as C allows. The assumptions are:
//   - arithmetic on a pointer does not lead from one object into another (a pointer plus a far too large index does not
//     become a pointer to the object with another number), nor do parts of two objects' numbers form that of a third;
//   - an address comes from an address, from a wide `nondet` (to anything, unless its kind says less), or is a constant
//     that names a static object. A value read from uninitialised memory, or composed of narrow inputs, is no address;
//   - a pointer to a dead object is not used to reach the object that got its number (only possible with 32-bit
//     pointers).
// Violating one of these is undefined in C. For the second, executors also try null and 1 for an uninitialised value,
// so its use as an address shows as a memory error.
#ifndef LOCKSTEP_POINTSTO_H
#define LOCKSTEP_POINTSTO_H

#include "ir/ir.h"

typedef struct pointsto pointsto;
typedef struct pointsto_set {
  bool anything;            // it may point into every object; the list is empty then
  uint32_t id;              // [0..pointsto_num_sets[; equal ids mean equal sets
  uint32_t count;
  const uint32_t *objects;  // [0..count[, ascending; owned by the analysis
} pointsto_set;

pointsto *pointsto_new (const ir_program *);
// larger sets are united (pointsto_collapse.c)
pointsto *pointsto_new_limited (const ir_program *, uint32_t most_targets);
void pointsto_free (pointsto *);

// Abstract objects: the static objects by their id (1..objects.count-1; a thread-local stands for all its copies), then
// one per ALLOC edge, which stands for all objects it creates, and one per origin of pointers from outside (NONDET
// edges of kind IR_NONDET_OUTSIDE with the same message), which stands for all memory reached from them.
uint32_t pointsto_num_objects (const pointsto *);
uint32_t pointsto_site (const pointsto *, ir_edge alloc_or_nondet);  // 0: the edge has none

// Returns what argument k of the edge may point into. Null is never listed; an empty set means that the argument is no
// pointer, or null, or that the edge is never reached.
pointsto_set pointsto_arg (const pointsto *, ir_edge, unsigned k);
bool pointsto_may (const pointsto *, ir_edge, unsigned k, uint32_t object);
uint32_t pointsto_num_sets (const pointsto *);

// The same with the byte offsets in the objects.
#define POINTSTO_ANY_OFFSET UINT32_MAX      // unknown, or over 32767
typedef struct pointsto_target { uint32_t object, offset; } pointsto_target;
typedef struct pointsto_list {
  bool anything;                            // it may point anywhere; the list is empty then
  uint32_t count;
  // [0..count[, by object, then offset; an unknown offset is the only one of its object
  const pointsto_target *targets;
} pointsto_list;
pointsto_list pointsto_targets (const pointsto *, ir_edge, unsigned k);

// Returns whether the `bytes1` bytes at argument k1 of e1 may overlap the `bytes2` bytes at argument k2 of e2.
// Instances of a thread-local or of an ALLOC edge are not distinguished.
bool pointsto_overlap (const pointsto *, ir_edge e1, unsigned k1, unsigned bytes1, ir_edge e2, unsigned k2,
                       unsigned bytes2);

// What a register may hold at any time: no address, addresses of certain objects, or of any.
typedef enum pointsto_holding { POINTSTO_HOLDS_NOTHING, POINTSTO_HOLDS_SOME, POINTSTO_HOLDS_ANYTHING } pointsto_holding;
pointsto_holding pointsto_reg (const pointsto *, ir_proc, ir_reg);
// Returns whether the result may be (part of) an address if an operand is; false for comparisons
bool pointsto_carries (ir_expr_op);

#endif
