// All paths through a procedure, or on from some place in it, as far as one lock is concerned.  Other than in a summary, what became of the
// lock on the way is kept, and nothing about other locks is.
#ifndef LOCKSTEP_LOCKS_LOCK_WALK_H
#define LOCKSTEP_LOCKS_LOCK_WALK_H

#include "engine/locks/analysis.h"

typedef struct walk_node {
  ir_loc at;
  uint32_t effect;             // of the path to it
  bool gave;                   // the lock was held on the way, and not later
  uint32_t from;               // node before, IR_NONE at the beginning
  uint32_t edge;               // taken from there
} walk_node;

typedef struct lock_walk {
  lock_analysis *analysis;
  uint32_t lock;
  bool gives_if_it_can;        // a callee that gives the lock back on some of its paths is taken to do so
  VEC (walk_node) nodes;       // by distance from the beginning
  map seen;                    // hash of a node -> 1
  bool too_long;               // not all was looked at
  bool waits;                  // somewhere for the lock itself, with it in hand
  map endless;                 // callees that do not return, from where they are called on -> 1
  bool gives_out_of_sight;     // one of them may give the lock back
} lock_walk;

typedef enum lock_fate { FATE_UNCLEAR, FATE_KEPT /* taken and still held */, FATE_FREE } lock_fate;  // at a node, seen from the beginning

void lock_walk_init (lock_walk *, lock_analysis *, uint32_t lock, bool gives_if_it_can);
void lock_walk_begin (lock_walk *, ir_loc, effect *);           // the first node
void lock_walk_go_on (lock_walk *);                             // and all that follow
void lock_walk_release (lock_walk *);
lock_fate lock_walk_fate (const lock_walk *, uint32_t node);
bool lock_walk_keeps (const lock_walk *, uint32_t node);        // the lock is surely held there, by whatever name
bool lock_walk_leaves (const lock_walk *, uint32_t node, ir_op, ir_edge *);  // it stands before an edge that leads nowhere: RETURN, EXIT, ...

#endif
