// What a walk of one thread must know about the other threads in advance: which bytes are shared, in which cells they
// are accessed, and which addresses are stored in them. At first nothing is known. Each walk adds the facts it has
// seen, and the walk is repeated until it adds nothing: then the facts that it assumed are true of the walk itself.
#ifndef LOCKSTEP_ORDER_SHARING_H
#define LOCKSTEP_ORDER_SHARING_H

#include "ir/sync.h"
#include "symbolic/pointers.h"

typedef unsigned __int128 thread_set;            // bit t: thread t
enum { THREAD_SET_BITS = 128, ANY_OFFSET = 0x7FFFFFFF };

typedef struct byte_facts { bool shared, cut; } byte_facts;  // cut: a cell begins here
typedef struct lock_fact { uint32_t offset; ir_family family; } lock_fact;
typedef struct sharing_object_facts {
  VEC (byte_facts) bytes;      // facts known so far; byte `size` stands for whether the object is alive
  uint32_t grain;              // 0: all shared accesses have constant offsets; else they are multiples of this
  bool all_shared;             // an index decides which bytes are accessed, so all of them are shared
  VEC (uint32_t) offsets;      // offsets at which shared writes store addresses, and
  VEC (uint32_t) targets;      // the sets of these addresses, by the same index
  uint32_t all_targets;
  bool ends;                   // its lifetime may end by free or the end of its scope, where other threads could notice
  bool destroyed;              // a lock in it is destroyed
  bool copied;                 // a data write may have copied a destroyed lock into it
  bool synchronises;           // a synchronisation operation uses it
  // only the words of a lock in it say which thread holds it: an index decides which lock is meant, or other threads
  // may unlock it
  bool locks_by_word;
  VEC (lock_fact) locks;       // locks in it at constant offsets
  bool shadowed;               // a shadow says which thread holds these locks (shadow.c)
  bool known;                  // a walk has made it:
  uint8_t kind;
  uint32_t thread, size;       // size IR_NONE: not constant
} sharing_object_facts;

// One access while other threads may run.
typedef struct memory_use {
  uint32_t object, first, end; // bytes [first..end[
  uint32_t thread, num_children;  // number of children that the thread had started before the use
  thread_set joined;           // threads that must have ended before the use
  bool write;
} memory_use;

typedef struct sharing {
  map objects_by_key;          // making thread, edge and occurrence -> number
  VEC (sharing_object_facts) objects;  // by number
  map threads_by_key;
  uint32_t num_threads;
  pointers pointers;           // sets of addresses, with the same numbers in all walks
  VEC (memory_use) uses;       // of the current walk, without duplicates
  map used;
  thread_set waiters;          // threads that wait at condition variables or barriers
  bool grew;                   // the current walk has added facts
} sharing;

void sharing_init (sharing *, const ir_program *, uint32_t num_static_objects);
void sharing_release (sharing *);
// the object's number, the same in every walk
uint32_t sharing_object (sharing *, uint32_t thread, ir_edge, uint32_t occurrence);
uint32_t sharing_thread (sharing *, uint32_t parent, ir_edge, uint32_t occurrence, ir_proc);

bool sharing_shared (const sharing *, uint32_t object, uint32_t first, uint32_t end);  // any of these bytes
void sharing_need_cell (sharing *, uint32_t object, uint32_t first, uint32_t end);  // these bytes are accessed as one
// end of the cell that begins at `first`, within [first..end[
uint32_t sharing_cell_end (const sharing *, uint32_t object, uint32_t first, uint32_t end);
void sharing_share_all (sharing *, uint32_t object, uint32_t size);  // the offset of an access is not constant
void sharing_need_grain (sharing *, uint32_t object, uint32_t grain);
void sharing_add_targets (sharing *, uint32_t object, uint32_t offset, uint32_t set);  // offset ANY_OFFSET: unknown
uint32_t sharing_targets (sharing *, uint32_t object, uint32_t offset);                // set of addresses
void sharing_mark_end (sharing *, uint32_t object);
bool sharing_ends (const sharing *, uint32_t object);
void sharing_mark_destroyed (sharing *, uint32_t object);
void sharing_mark_copied (sharing *, uint32_t object);
void sharing_mark_synchronises (sharing *, uint32_t object);
bool sharing_destroyed (const sharing *, uint32_t object);                             // a lock in it may be destroyed
void sharing_mark_made (sharing *, uint32_t object, uint8_t kind, uint32_t thread, uint32_t size);
void sharing_mark_by_word (sharing *, uint32_t object);
void sharing_mark_lock (sharing *, uint32_t object, lock_fact);
void sharing_mark_shadowed (sharing *, uint32_t object);
void sharing_mark_waiter (sharing *, uint32_t thread);
// returns whether the use is new
bool sharing_use (sharing *, memory_use);

// Called after a walk: finds the uses that may happen in parallel. `parent` and `child_number` are the tree of threads.
typedef struct thread_tree { uint32_t count; const uint32_t *parent, *child_number; } thread_tree;
void sharing_learn (sharing *, const thread_tree *);

#endif
