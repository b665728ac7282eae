// Which states of two threads may happen in parallel.  Files in reading order:
//   lockset             lock sets with acquisition histories, and which of them exclude each other
//   lockset_many        the same question about more than two threads
//   parent_locks        locks that the creator of a thread holds while the thread runs
//   thread_instance     threads of one kind that have different arguments
//   exact_address       threads of any kinds whose arguments are known
#ifndef LOCKSTEP_LOCKS_PARALLEL_H
#define LOCKSTEP_LOCKS_PARALLEL_H

#include "base/limits.h"
#include "engine/locks/states/states.h"

// ---- lockset.c ------------------------------------------------------------------------------------------------------
// The lock set of a state, as far as it excludes other threads: disciplined locks that are certainly held, each with
// its acquisition history.  Two accesses whose lock sets exclude each other cannot be pending at the same time (LOCK
// theorem 5).
typedef struct lockset_lock { uint32_t use, history; } lockset_lock;          // fixed names only
// A lock whose address is known relative to the accessed one, by a constant distance or by a common array index.  It
// protects the data beside it.
typedef struct relative_lock {
  uint32_t family, reads;
  int64_t distance;            // lock address - accessed address; of elements: of the offsets of their bases
  uint32_t lock_base, base;    // of elements: terms of the two arrays; else VALUE_NONE
  int64_t offset, lock_stride, stride;
} relative_lock;
typedef struct lockset {
  uint32_t num_locks, num_relative, facts;
  uint32_t acquired, since;    // as in an effect, fixed names only
  lockset_lock locks[LIMIT_LOCKS_HELD];
  relative_lock relative[LIMIT_LOCKS_BESIDE];
} lockset;

typedef struct locksets {
  lock_analysis *analysis;
  intern table;                // lock sets, without the unused parts of their arrays
  map compatible;              // (smaller number << 32 | larger) * 2 + same_address -> 1 compatible, 0 not
} locksets;

void locksets_init (locksets *, lock_analysis *);
void locksets_release (locksets *);
uint32_t lockset_of_state (locksets *, const effect *state, term_address accessed);
void lockset_load (const locksets *, uint32_t number, lockset *out);
// May two threads be in states with these lock sets in parallel?  `same_address`: given that they access one address.
bool locksets_compatible (locksets *, uint32_t a, uint32_t b, bool same_address);
bool uses_of_set_exclude (const idsets *, uint32_t set, lock_use);           // `set`: of lock_use
bool relative_locks_equal (const relative_lock *, const relative_lock *);  // one lock, if one address is accessed
bool lockset_subsumes (const locksets *, const lockset *weaker, const lockset *stronger);

// ---- lockset_many.c -------------------------------------------------------------------------------------------------
// May more than two threads be in states with these lock sets in parallel?  LOCK section 6 asks it of every pair, which
// is not enough.  The caller has asked about all pairs already.
bool locksets_all_compatible (const locksets *, const uint32_t *numbers, uint32_t count);

// ---- parent_locks.c -------------------------------------------------------------------------------------------------
// Locks that the creator of a thread holds.  A lock held from before the creation of a thread until after the join
// protects that thread as well, from all threads but its creator.  A thread that acquired a lock after its creation
// runs after all threads that have held the lock since before that.
typedef struct covering_lock { uint32_t holder, use; } covering_lock;  // a kind with one thread; a lock it holds

typedef struct parent_locks {
  lock_analysis *analysis;
  struct {
    VEC (covering_lock) covers;  // held while threads of the kind run
    uint32_t acquired;           // idset of lock_use: acquired by the parent since its start, at every creation
  } *kinds;                      // [kind]
} parent_locks;

void parent_locks_init (parent_locks *, lock_analysis *, locksets *);
void parent_locks_release (parent_locks *);
// Threads of these kinds cannot be in states with these lock sets in parallel.
bool parent_locks_exclude (const parent_locks *, uint32_t kind, const lockset *, uint32_t other_kind, const lockset *);

// ---- thread_instance.c ----------------------------------------------------------------------------------------------
// Threads of one kind that have different arguments: `base + i * stride` (or just i) from a loop that counts i up, or
// memory that was allocated for each thread.  Accesses at fixed distances from the arguments are disjoint then.
typedef struct numbering {
  bool known;                  // the argument is a linear function of a counter
  bool fresh;                  // each thread gets memory that was allocated for it; independent of `known`
  ir_proc creator;
  ir_edge create, increment;
  value_term counter, argument;  // a register of the creator; the argument as a term over it
  int64_t distance;            // between the arguments of consecutive threads
} numbering;

// Where an access lies if the argument of its thread is known.
typedef enum exactness { ADDRESS_UNKNOWN, ADDRESS_EXACT, NO_ACCESS } exactness;
typedef struct exact_address { exactness known; uint32_t object; int64_t offset; } exact_address;

typedef struct instances {
  lock_analysis *analysis;
  numbering *kinds;            // [kind of thread]
  VEC (exact_address) places;  // found by exact_address_find; [0] is unused
  uint32_t *num_callers, *caller;  // [procedure]: number of call edges that may call it, and one of them
} instances;

void instances_init (instances *, lock_analysis *);
void instances_release (instances *);

typedef struct placed_access {
  uint32_t kind;
  ir_edge edge;
  unsigned arg;
  uint32_t bytes;
  uint32_t place;              // result of exact_address_find; 0: it was not called
} placed_access;
// Two different threads of these kinds cannot touch a common byte by these accesses.
bool instances_disjoint (instances *, placed_access, placed_access);
// The address of the access in the terms of procedure `top`, if the calls from there are unique; else VALUE_NONE.
value_term instances_address (instances *, placed_access, ir_proc top);

// ---- exact_address.c ------------------------------------------------------------------------------------------------
// The same as instances_disjoint, for accesses whose addresses follow from the known arguments of their threads.
bool exact_addresses_disjoint (instances *, placed_access, placed_access);
uint32_t exact_address_find (instances *, placed_access);  // for placed_access.place, so that it is worked out once

#endif
