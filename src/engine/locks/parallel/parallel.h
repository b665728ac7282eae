// Which states of two threads may happen in parallel.  Files in reading order:
//   lockset             lock sets with acquisition histories, and which of them exclude each other
//   lockset_many        the same question about more than two threads
//   parent_locks        locks that a creator of threads holds while they run
//   thread_instance     threads of one kind that have different arguments
//   exact_address       threads of any kinds whose arguments are known
#ifndef LOCKSTEP_LOCKS_PARALLEL_H
#define LOCKSTEP_LOCKS_PARALLEL_H

#include "engine/locks/states/states.h"

// ---- lockset.c -----------------------------------------------------------------------------------------
// What a lock state excludes: the trusted locks that are surely held, with histories, and those whose address differs from
// the accessed one by a constant (a lock beside the data it protects), or is found by the same index (element.h).  Two accesses whose guards exclude each other
// cannot be pending at the same time (LOCK theorem 5).
typedef struct guard_lock { uint32_t use, history; } guard_lock;              // fixed names only
// A lock whose address is known from the accessed one: at a distance; or both are elements with one index, of arrays that are known.
typedef struct guard_beside {
  uint32_t family, reads;
  int64_t distance;            // lock address - accessed address; of elements: of the bases' offsets
  uint32_t lock_base, base;    // fixed values; VALUE_NONE: no elements
  int64_t offset, lock_stride, stride;
} guard_beside;
enum { MOST_BESIDE = 4 };
typedef struct guard {
  uint32_t num_locks, num_beside, facts;
  uint32_t acquired, since;    // as in an effect, fixed names only
  guard_lock locks[MOST_HELD];
  guard_beside beside[MOST_BESIDE];
} guard;

typedef struct guards {
  lock_analysis *analysis;
  intern table;                // guards, without what is unused of their arrays
  map meetings;                // smaller number << 32 | larger -> 1 they may meet, 0 not; times two for the same address
} guards;

void guards_init (guards *, lock_analysis *);
void guards_release (guards *);
uint32_t guard_of (guards *, const effect *state, address accessed);
void guard_load (const guards *, uint32_t number, guard *out);
// May two threads be in such states at once?  `same_address`: if so, they access the same address.
bool guards_meet (guards *, uint32_t a, uint32_t b, bool same_address);
bool guards_beside_alike (const guard_beside *, const guard_beside *);  // they mean the same lock, if the same address is accessed
bool guard_covers (const guards *, const guard *weaker, const guard *stronger);

// ---- lockset_many.c ------------------------------------------------------------------------------------
// Whether more than two threads can be in given states at once: LOCK section 6 asks it of every pair, which is not enough.
// False: certainly not.  The guards are of different threads, and each pair of them may meet.
bool guards_meet_together (const guards *, const uint32_t *numbers, uint32_t count);

// ---- parent_locks.c ------------------------------------------------------------------------------------
// What the creators of threads hold, and for how long: a lock held from before a thread is created until after it was joined
// protects that thread as well, from everybody but its creator; and who took a lock after its creation comes after whoever has
// held it since then.
typedef struct cover { uint32_t holder, use; } cover;  // a kind of thread (with one thread only), a lock it holds all the time

typedef struct creations {
  lock_analysis *analysis;
  struct { VEC (cover) covers; uint32_t acquired; } *kinds;  // [kind]; acquired: idset of lock_use, taken by its parent, since that started, whenever it is created
} creations;

void creations_init (creations *, lock_analysis *, guards *);
void creations_release (creations *);

// Threads of these kinds cannot be in states with these guards at once.
bool creations_exclude (const creations *, uint32_t kind, const guard *, uint32_t other_kind, const guard *other);

// ---- thread_instance.c ---------------------------------------------------------------------------------
// Threads of one kind told apart by their argument: each gets `base + i * stride` (or just i) from a loop that counts i up, or memory that
// was allocated for it.  What each of them does at fixed distances from its argument, the others do elsewhere.
// How the argument of a kind grows: counter of the creating procedure, its step, the argument as a term over it.
typedef struct numbering {
  bool known;
  bool fresh;                  // each gets memory that was allocated for it (the fields below are those of `known`)
  ir_proc creator;
  ir_edge create, increment;
  value counter, argument;
  int64_t distance;            // between the arguments of consecutive threads
} numbering;

// Where an access lies if its thread's argument is known.
typedef enum whereabouts { SOMEWHERE, EXACTLY, NOWHERE /* it is none */ } whereabouts;
typedef struct exact_place { whereabouts known; uint32_t object; int64_t offset; } exact_place;

typedef struct instances {
  lock_analysis *analysis;
  numbering *kinds;            // [kind of thread]
  VEC (exact_place) places;    // found by exactly_where; [0] is unused
  uint32_t *num_callers, *caller;  // [procedure]: call edges that may call it, and one of them
} instances;

void instances_init (instances *, lock_analysis *);
void instances_release (instances *);

typedef struct placed_access {
  uint32_t kind;
  ir_edge edge;
  unsigned arg;
  uint32_t bytes;
  uint32_t place;              // what exactly_where gave; 0: it was not asked
} placed_access;
// Two different threads of these kinds cannot touch a common byte by these accesses.
bool instances_apart (instances *, placed_access, placed_access);
// The address of the access in the terms of procedure `top`, as far as calls lead there uniquely; VALUE_NONE: not known.
value instances_address (instances *, placed_access, ir_proc top);

// exact.c: the same, because the addresses of both, or of one, are known exactly from what the threads get as arguments.
bool exactly_apart (instances *, placed_access, placed_access);
uint32_t exactly_where (instances *, placed_access);  // for whoever asks often about one access

#endif
