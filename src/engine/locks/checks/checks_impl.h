// What the files of the checks share among themselves; checks.h lists them in reading order.
#ifndef LOCKSTEP_LOCKS_CHECKS_IMPL_H
#define LOCKSTEP_LOCKS_CHECKS_IMPL_H

#include "engine/locks/checks/checks.h"

// ---- lock_order.c ---------------------------------------------------------------------------------------------------
// Fills component[0..states.count[: two waiting states can lie on a common cycle of the lock order graph only if they
// have the same number.  A state on no cycle gets ORDER_ACYCLIC.
#define ORDER_ACYCLIC UINT32_MAX
void lock_order_find (const deadlocks *, uint32_t *component);

// ---- lock_cycles.c --------------------------------------------------------------------------------------------------
bool waiting_state_is_joinable (const deadlocks *, const waiting_state *);  // another thread may wait for its end

// ---- use_after_destroy.c --------------------------------------------------------------------------------------------
ir_edge find_use_after_destroy (const lock_analysis *);  // a destruction; IR_NONE if no lock is used after one

// ---- one_lock.c -----------------------------------------------------------------------------------------------------
// All paths from a location of a procedure on, as far as one lock is concerned.  In contrast to a summary, a path
// records that the lock was released on the way, and records nothing about other locks.
typedef struct lock_path_node {
  ir_loc at;
  uint32_t effect;             // of the path to it
  bool released;               // the lock was held on the way, and not later
  uint32_t from;               // node before, IR_NONE at the beginning
  uint32_t edge;               // from there to here
} lock_path_node;

typedef struct lock_paths {
  lock_analysis *analysis;
  uint32_t lock;
  bool assume_release;         // take a callee that releases the lock on some of its paths to release it on all
  VEC (lock_path_node) nodes;  // by distance from the beginning
  map seen;                    // hash of a node -> 1
  bool too_long;               // not all paths were followed
  bool blocks_itself;          // some path waits for the lock while it holds it
  map endless;                 // callees that do not return from a call on these paths -> 1
  bool may_release_unseen;     // one of them may release the lock
} lock_paths;

typedef enum lock_fate { FATE_UNKNOWN, FATE_HELD /* acquired on the path */, FATE_FREE } lock_fate;

void lock_paths_init (lock_paths *, lock_analysis *, uint32_t lock, bool assume_release);
void lock_paths_begin (lock_paths *, ir_loc, effect *);           // adds the first node
void lock_paths_explore (lock_paths *);                           // adds all that follow
void lock_paths_release (lock_paths *);
lock_fate lock_paths_fate (const lock_paths *, uint32_t node);
bool lock_paths_keeps (const lock_paths *, uint32_t node);        // the lock is certainly held there, by some name
bool lock_paths_stops_before (const lock_paths *, uint32_t node, ir_op, ir_edge *);  // RETURN, EXIT, ...

// ---- lock_leak.c ----------------------------------------------------------------------------------------------------
// May a thread that leaves the procedure at the node, holding the lock, go on and never release it?  False also if that
// is not clear.
bool lock_is_leaked (const lock_paths *, uint32_t node);

// ---- infeasible.c ---------------------------------------------------------------------------------------------------
// The path to the node finds one condition true at one place and false at another, as in `if (threaded) lock ... if
// (threaded) unlock`.  Another thread may have changed the condition in between, but few programs mean that.
bool path_contradicts_itself (const lock_paths *, uint32_t node);

#endif
