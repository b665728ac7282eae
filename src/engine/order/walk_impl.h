// What the files of the walk share. Layers, each using only those above it: path (symbolic paths and their merging),
// ram (accesses of memory), shadow (holders of locks), executor (the hooks of src/symbolic), sync (synchronisation
// operations), thread (creation, join, end), walk (procedures and loops).
#ifndef LOCKSTEP_ORDER_WALK_IMPL_H
#define LOCKSTEP_ORDER_WALK_IMPL_H

#include "engine/order/contents.h"
#include "engine/order/walk.h"

// ---- the state of a thread, over all paths that lead to its location --------------------------------
typedef struct symbolic_path {
  term guard;
  VEC (term) regs;             // of the running procedure
  VEC (contents) memory;       // by object; published shared bytes are in events instead
  VEC (uint32_t) clock;        // by thread: number of its nodes that are over
  thread_set joined;           // threads that must have ended
  thread_set gone, may_be_gone;  // threads that this one has joined or detached, on all paths, or on some path
  uint32_t atomic;             // depth of atomic regions
  uint32_t region;             // node of the region, IR_NONE: not begun yet
  bool published;              // other threads may exist: shared bytes are in events now
} symbolic_path;

symbolic_path *path_copy (const symbolic_path *);
void path_free (symbolic_path *);

typedef enum walk_object_kind {
  MADE_STATIC, MADE_CONSTANT, MADE_FUNCTION, MADE_LOCAL /* to a thread */, MADE_STACK, MADE_HEAP, MADE_INTERNAL
} walk_object_kind;
typedef struct walk_object {
  walk_object_kind kind;
  uint32_t thread;             // thread that owns it; IR_NONE: none
  term size;                   // 32 bits
  uint32_t most_bytes;         // constant size, or its maximum
  bool exists;                 // some walk has made it
  bool made;                   // this walk has made it
  bool over;                   // stack: its procedure has returned
  bool has_unknown_size;       // not made yet, and its size is not constant
  contents before;             // contents at publication, for an object that no path holds
} walk_object;

// first ANY_OFFSET: the whole object, in steps of its grain
typedef struct cell_name { uint32_t object, first, end; } cell_name;

typedef VEC (symbolic_path *) path_list;
typedef struct written_range { uint32_t object, first, end; } written_range;

typedef struct walk_thread {
  uint32_t parent, child_number, num_children;
  symbolic_path *end;          // merged over all ends; its only register is the result
  path_list ends;
  VEC (written_range) written; // bytes that the thread, or a thread it has joined, has changed
  bool finished;               // the walk of this thread is finished
  uint32_t taken_by;           // thread that joins or detaches it, IR_NONE: none yet
  VEC (uint32_t) stack;        // stack objects of running procedures
  VEC (ir_proc) calls;         // running procedures
  VEC (uint32_t) returns;      // locations to which they return, except the first
  VEC (ir_edge) sites;         // edges of the calls
  map occurrences;             // edge -> number of objects or threads made there
  VEC (uint32_t) locals;       // thread-local copies: static id, object
} walk_thread;

typedef struct order_walk {
  const walk_options *options;
  const ir_program *program;
  term_pool *terms;
  contents_pool contents;
  loop_nesting *loops;
  sharing *sharing;
  unwound *out;
  VEC (walk_object) objects;
  VEC (walk_thread) threads;
  VEC (contents) published;    // by object: memory when the second thread was started
  bool concurrent;             // a second thread has been started
  map cells;                   // cell_name -> number
  VEC (cell_name) cell_names;
  map initial_choices;         // cell -> variable for the value that its first reader chooses
  map lock_numbers;            // address of a lock -> offset at which a thread notes whether it holds the lock
  map locks_by_word;           // address of a lock whose holder only its words say -> offset
  bool indexed_locks;          // ... or an index decides which lock is meant
  uint8_t *wakers;             // analysis/wakers.h; NULL: deadlocks are not checked
  uint64_t steps;
  walk_end stopped;            // why the walk ends early
  // The running thread:
  uint32_t thread;
  symbolic_path *now;
  uint32_t step, node;         // of the executing edge; node IR_NONE: not needed yet
  ir_edge edge;
} order_walk;

// ---- small helpers (walk_step.c) --------------------------------------------------------------------
static inline walk_thread *walk_self (order_walk *w) { return &w->threads.data[w->thread]; }
static inline unwound_thread *walk_out (order_walk *w) { return &w->out->threads.data[w->thread]; }
bool walk_selected (const order_walk *, ir_property);
bool walk_alive (const order_walk *);                                   // the running path can be taken
// the path goes on only if the condition is true
void walk_require (order_walk *, term condition);
// if `wrong` is true, the running step is a violation; the path ends there
void walk_goal (order_walk *, ir_property, term wrong);
// the same for property locks, but the path goes on
void walk_misuse (order_walk *, term wrong);
// the path ends there, and the walk cannot model what follows
void walk_mark_incomplete (order_walk *, term condition, const char *what);
// the same for a path that is not the running one
void walk_mark_path_incomplete (order_walk *, term condition, const char *what);
// Ends a path with this guard without following it. `bound` names the bound that cuts it; NULL: --unwindset, which does
// not grow.
void walk_cut (order_walk *, term guard, uint32_t location, const char *bound);
void walk_stop (order_walk *, term condition, uint32_t location, uint32_t step);  // the thread goes no further
// The operation blocks until `enabled` is true; `waiting`: which threads could end the wait, as in unwound_wait.
void walk_block (order_walk *, term enabled, waiting);
void walk_note_wait (order_walk *, term blocked, waiting);
uint32_t walk_node (order_walk *);                                      // of the running step; made by the first call
// the path leaves its region: other threads see what was written there
void walk_show_region (order_walk *, const symbolic_path *);
// a variable that the running step chooses, if the condition is true
term walk_choice (order_walk *, unsigned bits, term condition);
term walk_number (order_walk *, unsigned bits, uint64_t);
executor walk_executor (order_walk *);                                  // walk_executor.c
term walk_arg (order_walk *, unsigned);
void walk_set (order_walk *, ir_reg, term);

// ---- paths (walk_merge.c) ---------------------------------------------------------------------------
// of one thread at one location; empties the list; NULL: it was empty
symbolic_path *path_merge (order_walk *, path_list *);
term path_pick (order_walk *, term guard, term a, term b);              // a if the guard is true, else b
contents path_memory (order_walk *, const symbolic_path *, uint32_t object);
void path_set_memory (order_walk *, symbolic_path *, uint32_t object, contents);

// ---- addresses (symbolic/pointers.h) ----------------------------------------------------------------
static inline pointers *walk_pointers (order_walk *w) { return &w->sharing->pointers; }
void ram_targets (order_walk *, term address, targets *);  // fills an empty list; the path ends if the list is too long

// ---- memory (ram.c) ---------------------------------------------------------------------------------
void ram_begin (order_walk *);                                       // static objects
void walk_set_object (order_walk *, uint32_t object, walk_object);      // the object is made
uint32_t ram_make (order_walk *, walk_object_kind, term size, contents);
// the running thread's copy of a thread-local object
uint32_t ram_local_copy (order_walk *, ir_object);
// the contents of memory become visible to other threads
void ram_publish (order_walk *, symbolic_path *);
// Ends the path where the address is bad for this access, and keeps the good targets. Races: records the access.
void ram_check (order_walk *, term address, access_kind, targets *);
cells ram_read (order_walk *, const targets *, uint32_t at, uint32_t bytes);             // `at` bytes after the targets
void ram_write (order_walk *, const targets *, uint32_t at, uint32_t bytes, cells, term condition);
void ram_alloc (order_walk *);                                       // the operations
void ram_free (order_walk *);
void ram_forget (order_walk *);
void ram_object_size (order_walk *);
void ram_end (order_walk *, uint32_t object);                        // the object goes out of scope
cells ram_cell_read (order_walk *, uint32_t object, term offset, uint32_t bytes, term condition);
void ram_cell_write (order_walk *, uint32_t object, term offset, uint32_t bytes, cells, term condition);

// ---- shadows, locks, threads ------------------------------------------------------------------------
void shadow_note_locks (order_walk *, const targets *, ir_family);      // shadow.c: records that the targets have locks
// an operation on locks sets a word that says which thread holds the lock
void shadow_write (order_walk *, const targets *, uint32_t at, term value, term condition);
// a thread holds the lock; makes the shadow of the lock if there is none
term shadow_held (order_walk *, const target *, ir_family);
uint32_t shadow_bytes (const order_walk *, ir_family);                  // number of bytes of such a lock that matter
// an access of so many bytes overlaps the lock
term shadow_overlap (order_walk *, const target *, uint32_t bytes, lock_fact);
void sync_execute (order_walk *);                                       // walk_sync.c
term sync_holds_any (order_walk *);                                     // the running thread holds some lock
// offsets of each lock in thread_notes: how often it is held, and held for reading
enum { HOLDS_READING = 4, HOLDS_BYTES = 8 };
// overwritten.c: called before a data write, which may overlap a lock
void sync_overwritten (order_walk *, const targets *, uint32_t bytes, term value, bool raw);
void thread_first (order_walk *);                                       // walk_thread.c
uint32_t thread_notes (order_walk *);  // object in which the running thread notes the locks that it holds
uint32_t thread_waiting (order_walk *, uint32_t thread);                // object that says at what the thread waits
uint32_t thread_shadow (order_walk *, uint32_t object);  // companion of this object for shadow.c; owned by no thread
void thread_create (order_walk *);
void thread_join (order_walk *);
void thread_detach (order_walk *);
void thread_end (order_walk *, symbolic_path *, term result);
void walk_thread_body (order_walk *, ir_proc, term argument);           // walk.c: executes the thread up to its ends

#endif
