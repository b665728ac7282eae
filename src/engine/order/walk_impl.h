// What the files of the walk share.  Layers, each using only those above it: path (states and their merging), ram
// (accesses of memory), shadow (who holds a lock), executor (the hooks of src/symbolic), sync (locks and the like), thread
// (life of threads), walk (procedures and loops).
#ifndef LOCKSTEP_ORDER_WALK_IMPL_H
#define LOCKSTEP_ORDER_WALK_IMPL_H

#include "engine/order/contents.h"
#include "engine/order/walk.h"

// ---- state of a thread, over all paths that lead to where it is ----------------------------------------
typedef struct path {
  term guard;
  VEC (term) regs;             // of the running procedure
  VEC (contents) memory;       // by object; what is shared and published lies in events instead
  VEC (uint32_t) clock;        // by thread: so many of its nodes are over
  thread_set joined;           // threads that have surely ended
  thread_set gone, perhaps_gone;  // threads that surely, or on some path, were joined or detached by this one
  uint32_t atomic;             // depth of atomic regions
  uint32_t region;             // node of the region, IR_NONE: not begun yet
  bool published;              // other threads may exist: shared bytes are in events now
} path;

path *path_copy (const path *);
void path_free (path *);

typedef enum walk_object_kind { MADE_STATIC, MADE_CONSTANT, MADE_FUNCTION, MADE_LOCAL /* to a thread */, MADE_STACK, MADE_HEAP, MADE_INTERNAL } walk_object_kind;
typedef struct walk_object {
  walk_object_kind kind;
  uint32_t thread;             // whose; IR_NONE: nobody's
  term size;                   // 32 bits
  uint32_t most_bytes;         // constant size, or what it is at most
  bool exists;                 // in some walk
  bool made;                   // in this one
  bool over;                   // stack: its procedure has returned
  bool vague;                  // not made yet, and its size is not known
  contents before;             // what it holds when it is published without being in anybody's memory
} walk_object;

typedef struct cell_name { uint32_t object, first, end; } cell_name;  // first ANY_OFFSET: the whole object, by grains

typedef VEC (path *) path_list;
typedef struct written_range { uint32_t object, first, end; } written_range;

typedef struct walk_thread {
  uint32_t parent, child_number, num_children;
  path *end;                   // merged over all ends; its only register is the result
  path_list ends;
  VEC (written_range) written; // what it, or who it has joined, has changed
  bool finished;               // its walk is
  uint32_t taken_by;           // thread that joins or detaches it, IR_NONE: none yet
  VEC (uint32_t) stack;        // objects of running procedures
  VEC (ir_proc) calls;         // that are running
  VEC (uint32_t) returns;      // locations to which they return, but the first
  VEC (ir_edge) sites;         // ... and the calls
  map occurrences;             // edge -> how often an object or thread was made there
  VEC (uint32_t) locals;       // thread-local copies: static id, object
} walk_thread;

typedef struct walk {
  const walk_options *options;
  const ir_program *program;
  term_pool *terms;
  contents_pool contents;
  loops *loops;
  sharing *sharing;
  unwound *out;
  VEC (walk_object) objects;
  VEC (walk_thread) threads;
  VEC (contents) published;    // by object: memory when the second thread was started
  bool concurrent;             // there has been a second thread
  map cells;                   // cell_name -> number
  VEC (cell_name) cell_names;
  map initial_choices;         // cell -> variable for what its first reader chooses
  map lock_numbers;            // address of a lock -> where a thread keeps whether it holds it
  map locks_by_word;           // address of a lock of which only its words tell who holds it -> where
  bool indexed_locks;          // ... or an index decides which one is meant
  uint8_t *wakers;             // analysis/wakers.h; NULL: deadlocks are not looked for
  uint64_t steps;
  walk_end stopped;             // why it does not go on
  // The running thread:
  uint32_t thread;
  path *now;
  uint32_t step, node;         // of the edge that is executed; node IR_NONE: not needed yet
  ir_edge edge;
} walk;

// ---- small helpers (walk_step.c) -------------------------------------------------------------------------
static inline walk_thread *walk_self (walk *w) { return &w->threads.data[w->thread]; }
static inline unwound_thread *walk_out (walk *w) { return &w->out->threads.data[w->thread]; }
bool walk_selected (const walk *, ir_property);
bool walk_alive (const walk *);                                   // the running path can be taken
void walk_require (walk *, term condition);                       // the path goes on only if it holds
void walk_goal (walk *, ir_property, term wrong);                 // if it holds the running step is a violation; the path ends there
void walk_misuse (walk *, term wrong);                            // the same of property locks, but the path goes on
void walk_doubt (walk *, term condition, const char *what);       // the path ends there, and nothing is known of what follows
void walk_give_up (walk *, term condition, const char *what);     // the same for a path that is not the running one
// A path with this guard is not followed from there on; what it is the bound of, NULL: of --unwindset, which does not grow.
void walk_cut (walk *, term guard, uint32_t location, const char *bound);
void walk_stop (walk *, term condition, uint32_t location, uint32_t step);  // the thread goes no further
// The operation blocks until `enabled` holds; who could end that, as in unwound_wait.
void walk_block (walk *, term enabled, waiting);
void walk_note_wait (walk *, term blocked, waiting);
uint32_t walk_node (walk *);                                      // of the running step, made when first asked for
void walk_show_region (walk *, const path *);                     // the path leaves its region: others see what was written there
term walk_choice (walk *, unsigned bits, term condition);         // a variable the running step chooses, if the condition holds
term walk_number (walk *, unsigned bits, uint64_t);
executor walk_executor (walk *);                                  // walk_executor.c
term walk_arg (walk *, unsigned);
void walk_set (walk *, ir_reg, term);

// ---- paths (walk_merge.c) ----------------------------------------------------------------------------------------
path *path_merge (walk *, path_list *);                           // of one thread at one place; empties the list; NULL: there is none
term path_pick (walk *, term guard, term a, term b);              // a if the guard holds
contents path_memory (walk *, const path *, uint32_t object);
void path_set_memory (walk *, path *, uint32_t object, contents);

// ---- addresses (symbolic/pointers.h) -----------------------------------------------------------------------
static inline pointers *walk_pointers (walk *w) { return &w->sharing->pointers; }
void ram_targets (walk *, term address, targets *);              // fills an empty list; the path ends where it is too long

// ---- memory (ram.c) -------------------------------------------------------------------------------------
void ram_begin (walk *);                                       // static objects
void walk_set_object (walk *, uint32_t object, walk_object);      // it is made
uint32_t ram_make (walk *, walk_object_kind, term size, contents);
uint32_t ram_local_copy (walk *, ir_object);                   // the running thread's
void ram_publish (walk *, path *);                             // what it holds becomes visible to others
// Ends the path where the address is not good for this access; the targets that are left.  Races: an access of this kind is recorded.
void ram_check (walk *, term address, access_kind, targets *);
cells ram_read (walk *, const targets *, uint32_t at, uint32_t bytes);             // `at` bytes after the targets
void ram_write (walk *, const targets *, uint32_t at, uint32_t bytes, cells, term condition);
void ram_alloc (walk *);                                       // the operations
void ram_free (walk *);
void ram_forget (walk *);
void ram_object_size (walk *);
void ram_end (walk *, uint32_t object);                        // it goes out of scope
cells ram_cell_read (walk *, uint32_t object, term offset, uint32_t bytes, term condition);
void ram_cell_write (walk *, uint32_t object, term offset, uint32_t bytes, cells, term condition);

// ---- the rest ----------------------------------------------------------------------------------------------
void shadow_note_locks (walk *, const targets *, ir_family);      // shadow.c: there are locks
void shadow_write (walk *, const targets *, uint32_t at, term value, term condition);  // an operation on locks sets a word that tells who holds them
term shadow_held (walk *, const target *, ir_family);             // somebody holds the lock; its shadow is made, if there is none
uint32_t shadow_bytes (const walk *, ir_family);                  // that matter to such a lock
term shadow_overlap (walk *, const target *, uint32_t bytes, lock_fact);  // an access of so many bytes reaches into the lock
void sync_execute (walk *);                                       // walk_sync.c
term sync_holds_any (walk *);                                     // the running thread, a lock
enum { HOLDS_READING = 4, HOLDS_BYTES = 8 };                      // of each lock in thread_notes: how often it is held, and held for reading
void sync_overwritten (walk *, const targets *, uint32_t bytes, term value, bool raw);  // overwritten.c: before a write as of data, perhaps into a lock
void thread_first (walk *);                                       // walk_thread.c
uint32_t thread_notes (walk *);                                   // object in which the running thread notes what it holds
uint32_t thread_waiting (walk *, uint32_t thread);                // object that says at what it waits
uint32_t thread_shadow (walk *, uint32_t object);                 // object beside this one, for shadow.c; nobody's in particular
void thread_create (walk *);
void thread_join (walk *);
void thread_detach (walk *);
void thread_end (walk *, path *, term result);
void walk_thread_body (walk *, ir_proc, term argument);           // walk.c: runs it to its ends

#endif
