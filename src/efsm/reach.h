// Control-state reachability (paper LAZY, 2.3 and 7): the points at which a thread can be after a number of steps, for
// all data. `cxt`: calls and returns match. Also the must-held locks at these points (MTX).
//
//   reach r;
//   reach_init (&r, &m, thread, (reach_options){.cxt = true});
//   for (d = 0; d <= depth; d++) { reach_grow (&r); use (r.depths.data[d].points); }
#ifndef LOCKSTEP_REACH_H
#define LOCKSTEP_REACH_H

#include "base/map.h"
#include "efsm/efsm.h"

// Where a thread may stay for a step, as in models with a scheduler: at accesses of shared memory (the paper's figure
// 1c), or only where another thread may have run: at the thread's start and after a write sync.
typedef enum reach_waits { WAITS_NOWHERE, WAITS_AT_SHARED, WAITS_AFTER_SYNC } reach_waits;
typedef struct reach_options {
  bool everywhere;             // no analysis: every point at every depth
  bool cxt;                    // match calls and returns
  reach_waits waits;
} reach_options;

// A point, in a calling context.
typedef struct reach_node { uint32_t point, context; uint64_t held, held_after; } reach_node;
typedef struct reach_context { uint32_t caller, site; } reach_context;  // 0 is the empty context

// must-held locks before and after the point
typedef struct reach_at { uint32_t point; uint64_t held, held_after; } reach_at;
typedef struct reach_depth { VEC (uint32_t) nodes; VEC (reach_at) points; } reach_depth;

typedef struct reach {
  const efsm *m;
  uint32_t thread;
  reach_options options;
  VEC (reach_node) nodes;
  VEC (uint32_t) first, targets;  // successors of node n: targets[first[n]..first[n + 1][
  VEC (reach_context) contexts;
  map node_of, context_of;
  map waits_at;                // points
  VEC (reach_depth) depths;
  uint32_t saturated;          // from this depth on the set of points does not change; IR_NONE: not reached yet
} reach;

void reach_init (reach *, const efsm *, uint32_t thread, reach_options);
void reach_release (reach *);
void reach_grow (reach *);     // adds one depth; the first is 0
const reach_at *reach_find (const reach *, uint32_t depth, uint32_t point);  // NULL: not reachable at that depth

#endif
