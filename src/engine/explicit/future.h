// The future of a thread: what it may access from its location until it ends, and which locks it must acquire first. On
// futures the search decides the relation "might be the first to interfere, modulo lock acquisition" of CIRC, section
// 3.
#ifndef LOCKSTEP_EXPLICIT_FUTURE_H
#define LOCKSTEP_EXPLICIT_FUTURE_H

#include "engine/explicit/next_footprint.h"

// A lock set is a set of bits. Each bit stands for something that makes another thread wait: a lock in exclusive or in
// shared mode, or being alive while another thread joins. A lock antichain is a set of minimal lock sets, one per path
// to a location.
typedef uint64_t lock_set;
enum { NUM_SETS = 4 };
typedef struct lock_antichain { uint32_t count; lock_set sets[NUM_SETS]; } lock_antichain;  // count 0: no path

typedef enum region_kind { REGION_RANGE, REGION_OBJECT, REGION_TLS, REGION_STACK, REGION_SET } region_kind;
typedef struct future_access {
  uint8_t kind;                // region_kind
  bool write;
  bool handle;                 // writes the handle of a new thread
  // RANGE: address. OBJECT: its number. STACK: depth from which the thread's frames die. SET: edge << 8 | index of the
  // argument whose points-to set is meant
  uint64_t at;
                               // SET: edge << 8 | argument, what that may point to
  uint32_t bytes;              // RANGE
  lock_set own;                // locks that this operation itself acquires, if it is a lock operation that waits
  lock_antichain before;       // locks that must have been acquired earlier
} future_access;

// Must-held locks at a location, relative to the start of the future: `any` are the locks acquired since the start (a
// bit per lock; `exclusive` is a subset of it), `released` are those held before that may have been released.
typedef struct lock_state { lock_set exclusive, any, released; bool atomic; } lock_state;

// An access that could be part of a race.
typedef struct racy_access {
  uint32_t edge;
  bool plain;
  lock_state locks;
  future_access access;
} racy_access;

typedef struct thread_future {
  uint32_t index;              // index in futures->all
  VEC (future_access) accesses;
  uint64_t objects;            // static objects accessed, by the low bits of their numbers: a quick negative test
  VEC (racy_access) racy;
  VEC (uint64_t) not_self;     // cells presumed not to hold the thread's own handle when it joins
  VEC (uint32_t) checks;       // edges of assertions that may fail
  bool unsafe;                 // a memory error cannot be excluded
  bool unsupported;            // it may reach an unsupported operation
  bool blocks, joins, loops;   // it may wait; it may join; it may repeat a loop
  bool locks;                  // it uses locks or joins, so misuse is possible
  bool creates;                // it may start threads
  bool names_itself;           // it may ask for its own handle or use a thread-local
  bool uses_results;           // it may read the result of a joined thread
  bool everything;             // the analysis gave up: it may do anything
  bool detaches;               // it may detach a thread
  // locks it may release without having acquired them since the start; misuse unless it holds them now
  lock_set unheld;
  bool releases_twice;         // one of these is not held on any path
  VEC (future_access) releases;  // of locks whose address is not known
  bool returns;
  lock_antichain exit;         // locks acquired on the path to the return
  lock_state exit_locks;
  struct abstract_value { uint8_t kind; uint64_t x; } result;
} thread_future;

typedef struct thread_futures thread_futures;
// use_locks: held locks exclude others; use_joins: being alive excludes threads that join
thread_futures *futures_new (const current_state *, bool use_locks, bool use_joins);
void futures_free (thread_futures *);
// The state must be committed
const thread_future *futures_of (thread_futures *, const current_state *, uint32_t slot);
bool futures_use_locks (const thread_futures *);
// Returns whether the thread may release a lock that it does not hold and another thread may hold.
bool futures_may_release_foreign (thread_futures *, const current_state *, uint32_t slot, const thread_future *);
// Returns whether it is known as a cell whose handle is joined
bool futures_is_handle (const thread_futures *, uint64_t address);
// The locks it holds, in the numbering of lock_state
lock_state futures_holding (thread_futures *, const current_state *, uint32_t slot);
// The same in the numbering of lock sets
lock_set futures_held (thread_futures *, const current_state *, uint32_t slot);
// Fills in, by slot, the bits with which each running thread delays those that join it.
void futures_alive (thread_futures *, const current_state *, lock_set alive[IR_MAX_THREADS]);
// Returns whether the thread, which has this future, can make a conflicting access while the other thread holds `held`.
bool futures_may_conflict (const thread_futures *, const current_state *, uint32_t slot,
                           const thread_future *, const step_access *, lock_set held);
// Returns whether two accesses may overlap.
bool future_places_overlap (const current_state *, const future_access *, const future_access *);

#endif
