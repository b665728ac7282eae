// What a thread may touch from where it stands until it ends, and which locks it must take first: the relation
// "might be the first to interfere, modulo lock acquisition" of CIRC section 3 is decided on it.
#ifndef LOCKSTEP_EXPLICIT_FUTURE_H
#define LOCKSTEP_EXPLICIT_FUTURE_H

#include "engine/explicit/touch.h"

// A lock set is a set of bits, each something that can be held against a thread: a lock in exclusive or in shared mode, or being alive
// for somebody who joins.  A family is an antichain of minimal lock sets, one per way to get there.
typedef uint64_t lock_set;
enum { NUM_SETS = 4 };
typedef struct lock_family { uint32_t count; lock_set sets[NUM_SETS]; } lock_family;  // count 0: no way

typedef enum region_kind { REGION_RANGE, REGION_OBJECT, REGION_TLS, REGION_STACK, REGION_SET } region_kind;
typedef struct future_access {
  uint8_t kind;                // region_kind
  bool write;
  bool handle;                 // the handle of a new thread is written
  uint64_t at;                 // RANGE: address.  OBJECT: its number.  STACK: its thread's frames from this depth on, which end.
                               // SET: edge << 8 | argument, what that may point to
  uint32_t bytes;              // RANGE
  lock_set own;                // what this operation itself takes, if it is a lock operation that waits
  lock_family before;          // what must have been taken earlier
} future_access;

// What is surely held at a place, relative to the start: locks taken since (a bit per lock; `exclusive` is part of `any`), and what of
// the locks held before may have been released.
typedef struct lock_state { lock_set exclusive, any, released; bool atomic; } lock_state;

// An access that could be part of a race.
typedef struct racy_access {
  uint32_t edge;
  bool plain;
  lock_state locks;
  future_access access;
} racy_access;

typedef struct future {
  uint32_t index;              // its place among all
  VEC (future_access) accesses;
  uint64_t objects;            // static objects in them, by the low bits of their numbers: a quick no
  VEC (racy_access) racy;
  VEC (uint64_t) not_self;     // cells taken not to hold the thread's own handle when it joins
  VEC (uint32_t) checks;       // edges of assertions that may fail, by what is known
  bool unsafe;                 // a memory error cannot be excluded
  bool unsupported;            // it may come to something we do not model
  bool blocks, joins, loops;   // it may wait for somebody; it may join; it may come round a loop
  bool locks;                  // it uses locks, or joins: both can be misused
  bool creates;                // it may start threads
  bool names_itself;           // it may ask for its own handle or use a thread-local
  bool uses_results;           // it may look at what a joined thread returned
  bool everything;             // too much to say
  bool detaches;               // it may detach a thread
  lock_set unheld;             // locks it may release without having taken them since the start: foreign ones, unless it holds them now
  bool releases_twice;         // one of them is surely not held
  VEC (future_access) releases;  // of locks whose address is not known
  bool returns;
  lock_family exit;            // taken on the way to the return
  lock_state exit_locks;
  struct abstract_value { uint8_t kind; uint64_t x; } result;
} future;

typedef struct futures futures;
futures *futures_new (const world *, bool use_locks, bool use_joins);  // whether what is held, and being alive, keeps others out
void futures_free (futures *);
const future *futures_of (futures *, const world *, uint32_t slot);         // the world must be committed
bool futures_use_locks (const futures *);
// May the thread release a lock that it does not hold, and somebody else may?
bool futures_may_release_foreign (futures *, const world *, uint32_t slot, const future *);
bool futures_is_handle (const futures *, uint64_t address);                 // is it known as a cell somebody joins with?
lock_state futures_holding (futures *, const world *, uint32_t slot);       // the locks it holds, by the bits of lock states
lock_set futures_held (futures *, const world *, uint32_t slot);            // the same by the bits of lock sets
// What each running thread holds against those who join it, by slot.
void futures_alive (futures *, const world *, lock_set alive[IR_MAX_THREADS]);
// Can this thread, whose future that is, touch this while the other holds those?
bool futures_meet (const futures *, const world *, uint32_t slot, const future *, const touch *, lock_set held);
// Can two accesses be to the same memory?
bool future_places_overlap (const world *, const future_access *, const future_access *);

#endif
