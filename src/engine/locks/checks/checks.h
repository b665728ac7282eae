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

#include "engine/locks/parallel/parallel.h"
#include "verdict/verdict.h"

// ---- shared_access.c -----------------------------------------------------------------------------------
// The accesses of a program that can take part in a race, each for every kind of thread that may execute it, with the guards
// under which that may happen.
typedef struct access_guard { uint32_t guard, context, node; } access_guard;  // and a state in which it holds

typedef struct shared_access {
  ir_edge edge;
  uint8_t arg;
  uint32_t kind;               // of thread
  uint32_t bytes;              // UINT32_MAX: the whole object (free)
  bool write, plain;
  bool exact;                  // the address is that of a variable, not of some bytes of it: two overlapping ones are equal
  bool anything;               // points-to has given up
  uint32_t first_guard, num_guards;  // in access_table.guards, the weakest ones only
  uint32_t alike;              // equal for accesses that differ only in where they are
  uint32_t place;              // as exactly_where gave it
  extent extent;               // of a static object, if that is known
} shared_access;

typedef struct access_place { uint32_t object, offset, alike, access; } access_place;  // offset POINTSTO_ANY_OFFSET: unknown

typedef struct access_table {
  lock_analysis *analysis;
  guards guards;
  instances instances;
  creations creations;
  VEC (shared_access) accesses;
  VEC (access_guard) access_guards;
  intern alikes;               // what `alike` numbers
  VEC (access_place) places;   // by object, then offset, then `alike`
  VEC (uint32_t) anywhere;     // accesses that may touch anything
  map cut;                     // objects of which find_races has not looked at all pairs
} access_table;

void access_table_init (access_table *, lock_analysis *);
void access_table_release (access_table *);

// ---- race_pairs.c --------------------------------------------------------------------------------------
// Pairs of conflicting accesses that may be pending at once, as far as locks, creation and joining tell (LOCK section 5).
typedef struct possible_race {
  uint32_t access[2];          // in access_table.accesses
  uint32_t guard[2];           // in access_table.access_guards: states in which they may meet
  uint32_t object, offset;     // the place
} possible_race;
typedef VEC (possible_race) possible_races;

// One per pair of edges.  False: the time was spent before all were looked at.
// All are found; or the first ones of each object, of some not all; or the time was spent before.
typedef enum race_hunt { RACES_ALL, RACES_MORE, RACES_SPENT } race_hunt;
race_hunt find_races (access_table *, const budget *, possible_races *out);

// ---- lock_cycles.c -------------------------------------------------------------------------------------
// Cycles of threads that wait for each other's locks, or for each other's end (LOCK section 6).
// A thread of this kind, in a state that holds something, stands before an operation that may wait, or has ended.
typedef struct waiting_state {
  uint32_t kind, context, node;
  ir_edge edge;
  uint32_t wants;              // lock_use; IR_NONE: the end of a thread, or (ended) nothing
  bool ended;
  uint32_t guard;              // what excludes it
  uint32_t first_held, num_held;  // lock_use each, in deadlocks.held: what it may hold
} waiting_state;

enum { LONGEST_CYCLE = 16 };
typedef struct possible_deadlock { uint32_t length, at[LONGEST_CYCLE]; } possible_deadlock;  // waiting_states, each waits for the next

typedef struct deadlocks {
  lock_analysis *analysis;
  guards *guards;
  VEC (waiting_state) states;
  intern known;                // what makes states different
  VEC (uint32_t) held;
  VEC (possible_deadlock) found;
  const char *uncovered;       // a kind of waiting that is not covered, or NULL
  ir_edge uncovered_at;
  bool first_is_known;         // the first thread may have told others its handle
  bool spent;                  // not all cycles were looked at
} deadlocks;

void deadlocks_init (deadlocks *, lock_analysis *, guards *, const budget *);  // finds them
void deadlocks_release (deadlocks *);
bool deadlocks_joinable (const deadlocks *, const waiting_state *);  // somebody may wait for its end

// ---- busy_wait.c ---------------------------------------------------------------------------------------
// Loops that may wait for another thread by looking again and again.
// A branch in a loop, whose condition depends on what the loop reads from memory that others may write while it runs; IR_NONE: there
// is none, so no thread can wait for ever but by operations that wait.
ir_edge find_busy_waiting (lock_analysis *);

// ---- lock_misuse.c -------------------------------------------------------------------------------------
// Locks used wrongly: taken twice, given back without being held, kept when a thread ends, destroyed while in use.
typedef struct possible_misuse {
  ir_edge edge;
  uint32_t kind, context, node;  // a state in which it may happen
  uint32_t use;                  // the lock
  ir_fault fault;
} possible_misuse;

typedef struct misuses {
  VEC (possible_misuse) found;   // one per edge
  const char *uncovered;         // what was not looked at, or NULL
  ir_edge uncovered_at;
} misuses;

void misuses_init (misuses *, lock_analysis *);
void misuses_release (misuses *);

// ---- imbalance.c ---------------------------------------------------------------------------------------
// Procedures that return with a lock they have taken on some of their paths, and without it on others.  That by itself is no misuse of the lock:
// it is advice, and changes no verdict.
void add_uneven_returns (verdict *, lock_analysis *);

#endif
