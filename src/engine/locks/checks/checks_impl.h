// What the files of the checks share among themselves; checks.h lists them in reading order.
#ifndef LOCKSTEP_LOCKS_CHECKS_IMPL_H
#define LOCKSTEP_LOCKS_CHECKS_IMPL_H

#include "engine/locks/checks/checks.h"

// ---- lock_order.c --------------------------------------------------------------------------------------
// Which waiting states can lie on a common cycle, judged by the order in which locks are taken alone.
// Fills component[0..states.count[: states that may wait for each other, through others or not, have the same number; ORDER_ACYCLIC: nobody
// that waits for such a state is waited for by it.
#define ORDER_ACYCLIC UINT32_MAX
void order_find (const deadlocks *, uint32_t *component);

// ---- use_after_destroy.c -------------------------------------------------------------------------------
// Destructions of locks after which the lock may be used again.
ir_edge destroyed_and_used (const lock_analysis *);  // one such destruction; IR_NONE if there is none

// ---- one_lock.c ----------------------------------------------------------------------------------------
// All paths through a procedure, or on from some place in it, as far as one lock is concerned.  Other than in a summary, what became of the
// lock on the way is kept, and nothing about other locks is.
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

// ---- lock_leak.c ---------------------------------------------------------------------------------------
// What becomes of a lock that a procedure returns with: whether somebody further out gives it back.
// May a thread that has left the procedure here, with the walk's lock in hand, go on and never give it back?  False as well if that is not clear.
bool lock_is_left_behind (const lock_walk *, uint32_t node);

// ---- infeasible.c --------------------------------------------------------------------------------------
// Conditions on memory that a path tests twice: `if (threaded) lock ... if (threaded) unlock`.
// The path to the node finds the same condition true at one place and false at another.  Somebody may have changed what it depends on, but few programs mean that.
bool retest_differs (const lock_walk *, uint32_t node);

#endif
