// What one walk has to know about the others threads' walks before it begins: which bytes are shared, in which cells they are accessed, and
// which addresses lie in them.  Nothing is known at first; each walk adds what it has seen, and the walk is repeated until
// it sees nothing new: then what it took for granted is true of itself.
#ifndef LOCKSTEP_ORDER_SHARING_H
#define LOCKSTEP_ORDER_SHARING_H

#include "ir/sync.h"
#include "symbolic/pointers.h"

typedef unsigned __int128 thread_set;            // bit t: thread t
enum { THREAD_SET_BITS = 128, ANY_OFFSET = 0x7FFFFFFF };

typedef struct byte_facts { bool shared, cut; } byte_facts;  // cut: a cell begins here
typedef struct lock_fact { uint32_t offset; ir_family family; } lock_fact;
typedef struct object_facts {
  VEC (byte_facts) bytes;      // as far as something is known; byte `size` stands for whether the object is alive
  uint32_t grain;              // 0: all shared accesses have constant offsets; else they are multiples of this
  bool all_shared;             // an index decides which bytes are accessed: all of them are shared
  VEC (uint32_t) offsets;      // at which addresses are stored by shared writes, and
  VEC (uint32_t) targets;      // sets of addresses, by the same index
  uint32_t all_targets;
  bool ends;                   // it may be freed, or go out of scope, where others could notice
  bool destroyed;              // a lock in it is
  bool copied;                 // it was written as of data where such a lock may have come from
  bool synchronises;           // a synchronisation operation uses it
  bool locks_by_word;          // who holds a lock in it only its words tell: an index decides which is meant, or others may unlock it
  VEC (lock_fact) locks;       // that are in it at constant places
  bool shadowed;               // ... of which a shadow tells who holds them (shadow.c)
  bool known;                  // a walk has made it:
  uint8_t kind;
  uint32_t thread, size;       // size IR_NONE: not constant
} object_facts;

// One access while other threads may run.
typedef struct use {
  uint32_t object, first, end; // bytes [first..end[
  uint32_t thread, num_children;  // threads it had started by then
  thread_set joined;           // that have surely ended by then
  bool write;
} use;

typedef struct sharing {
  map objects_by_key;          // who made it, where, the how manieth -> number
  VEC (object_facts) objects;  // by number
  map threads_by_key;
  uint32_t num_threads;
  pointers pointers;           // sets of addresses stay the same from walk to walk
  VEC (use) uses;              // of the present walk, each once
  map used;
  thread_set waiters;          // threads that wait at condition variables or barriers
  bool grew;                   // in the present walk
} sharing;

void sharing_init (sharing *, const ir_program *, uint32_t num_static_objects);
void sharing_release (sharing *);
uint32_t sharing_object (sharing *, uint32_t thread, ir_edge, uint32_t occurrence);   // its number, the same in every walk
uint32_t sharing_thread (sharing *, uint32_t parent, ir_edge, uint32_t occurrence, ir_proc);

bool sharing_shared (const sharing *, uint32_t object, uint32_t first, uint32_t end);  // any of these bytes
void sharing_need_cell (sharing *, uint32_t object, uint32_t first, uint32_t end);     // they are accessed together
uint32_t sharing_cell_end (const sharing *, uint32_t object, uint32_t first, uint32_t end);  // of the cell that begins at `first`, within [first..end[
void sharing_share_all (sharing *, uint32_t object, uint32_t size);                    // which byte is accessed is not constant
void sharing_need_grain (sharing *, uint32_t object, uint32_t grain);
void sharing_add_targets (sharing *, uint32_t object, uint32_t offset, uint32_t set);  // offset ANY_OFFSET: not known
uint32_t sharing_targets (sharing *, uint32_t object, uint32_t offset);                // set of addresses
void sharing_mark_end (sharing *, uint32_t object);
bool sharing_ends (const sharing *, uint32_t object);
void sharing_mark_destroyed (sharing *, uint32_t object);
void sharing_mark_copied (sharing *, uint32_t object);
void sharing_mark_synchronises (sharing *, uint32_t object);
bool sharing_destroyed (const sharing *, uint32_t object);                             // what lies in it may be
void sharing_mark_made (sharing *, uint32_t object, uint8_t kind, uint32_t thread, uint32_t size);
void sharing_mark_by_word (sharing *, uint32_t object);
void sharing_mark_lock (sharing *, uint32_t object, lock_fact);
void sharing_mark_shadowed (sharing *, uint32_t object);
void sharing_mark_waiter (sharing *, uint32_t thread);
bool sharing_use (sharing *, use);                                                     // it is the first of its kind

// After a walk: which of its uses could meet.  `parents` and `child_numbers` are the tree of threads.
typedef struct thread_tree { uint32_t count; const uint32_t *parent, *child_number; } thread_tree;
void sharing_learn (sharing *, const thread_tree *);

#endif
