// What may go wrong: races, deadlocks, misused locks.  Files in reading order:
//   shared_access       accesses that may take part in a race
//   race_pairs          pairs of conflicting accesses that may happen in parallel
//   lock_order          threads that may wait for each other, by the order of locks alone
//   lock_cycles         cycles of waiting threads
//   busy_wait           loops that may wait for another thread
//   lock_misuse, use_after_destroy  locks used wrongly
//   one_lock            one lock on all paths through a procedure
//   lock_leak           whether callers release a lock that a procedure returns with
//   infeasible          paths whose branch conditions contradict each other
//   imbalance           procedures that release a lock on some paths only
#ifndef LOCKSTEP_LOCKS_CHECKS_H
#define LOCKSTEP_LOCKS_CHECKS_H

#include "base/limits.h"
#include "engine/locks/parallel/parallel.h"
#include "verdict/verdict.h"

// ---- shared_access.c ------------------------------------------------------------------------------------------------
// The accesses of a program that may take part in a race: one row for each access and each kind of thread that may
// execute it, with the lock sets that may be held there.
typedef struct access_lockset { uint32_t lockset, context, node; } access_lockset;  // and a state that has it

typedef struct shared_access {
  ir_edge edge;
  uint8_t arg;
  uint32_t kind;               // of thread
  uint32_t bytes;              // UINT32_MAX: the whole object (free)
  bool write, plain;
  bool exact;                  // two overlapping accesses of this sort have the same address
  bool anything;               // points-to knows nothing about the address
  uint32_t first_lockset, num_locksets;  // in access_table.access_locksets, the weakest ones only
  uint32_t class;              // equal for accesses that differ only in their positions
  uint32_t place;              // result of exact_address_find
  extent extent;               // of a static object, if that is known
} shared_access;

typedef struct access_place { uint32_t object, offset, class, access; } access_place;  // offset: POINTSTO_ANY_OFFSET

typedef struct access_table {
  lock_analysis *analysis;
  locksets locksets;
  instances instances;
  parent_locks parent_locks;
  VEC (shared_access) accesses;
  VEC (access_lockset) access_locksets;
  intern classes;              // [class]
  VEC (access_place) places;   // by object, then offset, then class
  VEC (uint32_t) anywhere;     // accesses that may touch anything
  map truncated;               // objects of which find_races has not looked at all pairs
} access_table;

void access_table_init (access_table *, lock_analysis *);
void access_table_release (access_table *);

// ---- race_pairs.c ---------------------------------------------------------------------------------------------------
// Pairs of conflicting accesses that may happen in parallel, as far as locks, creation and joining tell (LOCK section
// 5).
typedef struct possible_race {
  uint32_t access[2];          // in access_table.accesses
  uint32_t lockset[2];         // in access_table.access_locksets: two compatible ones
  uint32_t object, offset;     // the place
} possible_race;
typedef VEC (possible_race) possible_races;

// Adds one possible race for each pair of edges.
typedef enum race_coverage { RACES_ALL, RACES_MORE /* some objects have further ones */, RACES_SPENT } race_coverage;
race_coverage find_possible_races (access_table *, const budget *, possible_races *out);

// ---- lock_cycles.c --------------------------------------------------------------------------------------------------
// Cycles of threads that wait for each other's locks, or for each other's end (LOCK section 6).
//
// A thread of this kind stands before an operation that may block, or has ended.
typedef struct waiting_state {
  uint32_t kind, context, node;
  ir_edge edge;
  uint32_t wants;              // lock_use; IR_NONE: the end of a thread, or (ended) nothing
  bool ended;
  uint32_t lockset;
  uint32_t first_held, num_held;  // in deadlocks.held: the locks that it may hold
} waiting_state;

// each waits for the next
typedef struct possible_deadlock { uint32_t length, at[LIMIT_LOCK_CYCLE_LENGTH]; } possible_deadlock;

typedef struct deadlocks {
  lock_analysis *analysis;
  locksets *locksets;
  VEC (waiting_state) states;
  intern known;                // keys of `states`
  VEC (uint32_t) held;         // lock_use
  VEC (possible_deadlock) found;
  const char *uncovered;       // a kind of waiting that the search does not cover, or NULL
  ir_edge uncovered_at;
  bool first_is_known;         // the first thread may have told its handle to others
  bool spent;                  // not all cycles were looked at
} deadlocks;

void deadlocks_init (deadlocks *, lock_analysis *, locksets *, const budget *);  // finds them
void deadlocks_release (deadlocks *);

// ---- busy_wait.c ----------------------------------------------------------------------------------------------------
// A branch in a loop whose condition depends on memory that other threads may write while the loop runs.  IR_NONE:
// there is none, so a thread can wait for ever only at blocking operations.
ir_edge find_busy_waiting (lock_analysis *);

// ---- lock_misuse.c --------------------------------------------------------------------------------------------------
// Locks used wrongly: acquired twice, released without being held, held when a thread ends, destroyed while in use.
typedef struct possible_misuse {
  ir_edge edge;
  uint32_t kind, context, node;  // a state in which it may happen
  uint32_t use;                  // the lock
  ir_fault fault;
} possible_misuse;

typedef struct misuses {
  VEC (possible_misuse) found;   // one per edge
  const char *uncovered;         // what the check does not cover, or NULL
  ir_edge uncovered_at;
} misuses;

void misuses_init (misuses *, lock_analysis *);
void misuses_release (misuses *);

// ---- imbalance.c ----------------------------------------------------------------------------------------------------
// Adds procedures that return with a lock on some of their paths and without it on others.  That is advice, not a
// misuse of the lock: it changes no verdict.
void add_lock_imbalances (verdict *, lock_analysis *);

#endif
