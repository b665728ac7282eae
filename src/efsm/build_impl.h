// What the files of the builder share.  A machine is built again and again, each time with the facts that the last one taught (which threads and
// objects there are, who uses them, which bytes are accessed together, what addresses a variable may hold), until there is nothing new.
// Layers, each using only those above: facts, block (values within a point), memory, primitive (synchronisation), life (of threads), build (procedures and points).
#ifndef LOCKSTEP_EFSM_BUILD_IMPL_H
#define LOCKSTEP_EFSM_BUILD_IMPL_H

#include "base/limits.h"
#include "efsm/build.h"
#include "efsm/rounds.h"
#include "symbolic/executor.h"

enum { START_LEVEL = 200 /* of what a thread starts with */, OBSERVER = 63 /* as a thread that uses what is watched */ };

// ---- facts (facts.c) -------------------------------------------------------------------------------------------------------
typedef enum object_kind { OBJECT_STATIC, OBJECT_CONSTANT, OBJECT_FUNCTION, OBJECT_LOCAL, OBJECT_STACK, OBJECT_HEAP } object_kind;
typedef struct object_facts {
  uint32_t bytes;              // its size, or the most it may have
  bool sized;                  // its size is a variable
  bool forgotten;              // a static one whose bytes become undefined somewhere
  uint64_t users, writers;     // threads
  uint64_t outside;            // threads that access it outside atomic regions
  uint8_t *cuts;               // [0..bytes]: a cell begins there; NULL: none yet
} object_facts;
typedef struct build_object {
  object_kind kind;
  ir_object source;            // of a static object, or of the thread-local one this is a copy of
  uint32_t copy;               // STACK: procedure whose end is its end
  uint32_t thread;             // LOCAL: whose it is
  ir_edge made_by;             // STACK, HEAP: its allocation
  object_facts is, will_be;    // in this build, and in the next one
} build_object;

// Of a procedure that a thread executes: one for all its calls, or for those of this edge of one copy.
typedef struct build_copy { uint32_t thread, level, region; ir_proc proc; uint32_t caller; /* IR_NONE: all */ ir_edge call; } build_copy;
typedef struct build_thread { uint32_t parent; VEC (ir_proc) procs; uint32_t crowd; /* its first thread, or IR_NONE */ ir_edge created_by; } build_thread;

typedef struct learnt {
  const efsm_options *options;
  const ir_program *program;
  arena *arena;
  pointers pointers;
  VEC (build_object) objects;  // the first are the program's
  uint32_t num_objects;        // those that the present build knows
  VEC (build_copy) copies;
  VEC (build_thread) threads;
  map object_of, copy_of, thread_of;
  map holds;                   // key of a variable -> set of addresses
  efsm_made_list made;         // what may be executed more than once
  map locks;                   // address of a lock that is a constant -> its number
  map owners;                  // address of a word that names the owner of a lock -> 0
  map counted;                 // address of the word of an rwlock or a pthread_once that does not say which threads hold it -> 0
  map readers;                 // thread << 32 | number of an rwlock that it may read -> 0
  VEC (uint32_t) indegree;     // by location
  VEC (uint32_t) circle;       // by procedure: the component of the call graph
  VEC (bool) small;            // by procedure: each call has a copy of its own (small.c)
  VEC (bool) shows;            // by edge: it changes what is watched of its thread's place; empty: nothing is
  bool grew;
} learnt;

bool is_call_of (const ir_program *, const ir_edge_data *, ir_proc *callee /* IR_NONE: by a pointer */);
void learnt_init (learnt *, const efsm_options *);
void learnt_find_small (learnt *);
void learnt_begin (learnt *);  // a new build, with what the last one taught
void learnt_release (learnt *);
bool learnt_knows_times (const learnt *, uint32_t copy, ir_edge);  // ... and there are not more
uint32_t learnt_repeats (const learnt *, uint32_t copy, ir_edge);  // how many of what it makes we follow; 0: it is executed once
uint32_t learnt_object (learnt *, uint64_t copy_and_edge, uint32_t ordinal, build_object);  // made if it is new
uint32_t learnt_copy (learnt *, build_copy);
uint32_t learnt_thread (learnt *, uint32_t parent, uint64_t copy_and_edge, uint32_t ordinal, ir_proc);  // IR_NONE: too many
void learnt_use (learnt *, uint32_t object, uint32_t thread, bool write);
void learnt_cut (learnt *, uint32_t object, uint32_t offset);
void learnt_forgotten (learnt *, uint32_t object);
void learnt_hold (learnt *, uint64_t key, uint32_t set);
void learnt_outside (learnt *, uint32_t object, uint32_t thread);
bool learnt_shared (const learnt *, uint32_t object);

// ---- a build ---------------------------------------------------------------------------------------------------------------
// Variables have keys that stay the same from build to build.
typedef enum variable_kind {
  V_REG, V_RETURN_TO, V_MADE, V_READS, V_CELL, V_UNDEFINED, V_ALIVE, V_SIZE, V_STARTED, V_FUNCTION, V_ARGUMENT, V_ENDED, V_RESULT, V_GONE, V_WAITS, V_OVER, V_RUNNER, V_SELF
} variable_kind;
#define MADE_KEY(COPY_AND_EDGE, ORDINAL) ((COPY_AND_EDGE) * (LIMIT_MACHINE_ROUNDS + 1) + (ORDINAL))  // of threads and objects
enum { KEY_MASK = (1 << 29) - 1 };  // of A and B
#define VARIABLE_KEY(KIND, A, B) ((uint64_t) (KIND) << 58 | (uint64_t) (A) << 29 | (B))

typedef struct build_return { uint32_t point, copy, region; term value, alive /* what precedes it in the point lets it happen */; } build_return;
typedef struct build_call { uint32_t site, copy; ir_reg result; uint32_t caller; ir_loc to; } build_call;
typedef struct place { uint32_t copy, region; ir_loc location; } place;

typedef struct build {
  learnt *facts;
  const ir_program *program;
  efsm *m;
  term_pool *terms;
  map variable_of;             // key -> variable of the machine
  VEC (uint64_t) keys;         // by variable; IR_NONE-like 0 for others
  map point_of;                // copy << 40 | region << 32 | location -> point
  VEC (place) places;          // by point
  VEC (uint32_t) work;         // points to be filled
  VEC (build_return) returns;
  VEC (build_call) calls;
  map linked;                  // point of a return << 32 | call site
  uint32_t end;                // of the running thread
  uint32_t first_site;         // of its calls
  // The point that is filled:
  uint32_t point, thread, copy, region;
  term alive;                  // it goes on
  map now;                     // variable -> term, of those that changed
  bool shared, writes;
  bool shows;                  // something that is watched may have changed in it
  uint32_t step;
  ir_edge edge;
} build;

// ---- values within a point (block.c) ------------------------------------------------------------------------------------------
bool build_selected (const build *, ir_property);
term build_number (build *, unsigned bits, uint64_t);
uint32_t build_variable (build *, variable_kind, uint32_t a, uint32_t b, unsigned bits, uint32_t owner, term initial);
term build_get (build *, uint32_t variable);
void build_put (build *, uint32_t variable, term, term condition);
void build_require (build *, term);
void build_goal (build *, ir_property, term wrong);     // the thread goes no further if it is wrong
void build_misuse (build *, term wrong);                // of property locks; it goes on
void build_doubt (build *, term, const char *what);     // it goes no further, and nobody knows what follows
void build_cut (build *, term, const char *what);
// An operation that blocks until `enabled`; who ends that is as in efsm_wait, where no thread in particular is owner 0.
void build_note_wait (build *, term blocked, waiting);  // one that lasts: what becomes of it is said elsewhere
void build_waits (build *, term enabled, waiting);
term build_choice (build *, unsigned bits, term condition);
executor build_executor (build *);                      // build_executor.c
term build_arg (build *, unsigned);
void build_set (build *, ir_reg, term);
void build_result (build *, term);                      // the edge's first result
uint32_t build_reg (build *, uint32_t copy, ir_reg);
ir_proc build_proc_of (const build *, uint32_t object);  // IR_NONE: it is none
void build_check_function (build *, const targets *);   // the thread goes on only if the pointer is one that can be called

// ---- memory (memory.c) ----------------------------------------------------------------------------------------------------------
void store_check (build *, term address, access_kind, targets *good);  // the thread goes on only if it may be accessed
cells store_read (build *, const targets *, uint32_t at, uint32_t bytes);
void store_write (build *, const targets *, uint32_t at, uint32_t bytes, cells, term condition);
uint32_t store_places (build *, const target *, uint32_t bytes, uint32_t number);  // the offsets it may have, one by one; IR_NONE: no more
uint32_t store_local_copy (build *, ir_object);
void store_alloc (build *);
void store_object_size (build *);
void store_end_frame (build *);                           // of the running procedure
void store_end_thread (build *);                          // of all of them
void store_free (build *);
void store_forget (build *);
bool store_is_shared (build *, ir_edge);                  // would it touch what others see?

bool watch_shows (const build *, ir_edge);               // watch.c
bool watch_branch_shows (const build *, ir_loc);
void watch_find_edges (learnt *);
void watch_view (build *);
void primitive_execute (build *);                            // primitive.c
void primitive_note_access (build *, const targets *, uint32_t bytes, bool write);  // by who does not know that a lock is there
void primitive_note_write (build *, uint32_t bytes, term value);  // as of data, perhaps into a lock; before it
term primitive_holds_any (build *);
void primitive_end_holding (build *);
void life_create (build *);                           // life.c
void life_join (build *);
void life_detach (build *);
void life_end (build *, term result);
void life_start (build *);                            // the point at which a thread waits to be started
term life_over (build *);                             // the process has ended
void life_exit_process (build *);
typedef struct creation { term function, argument; targets functions; uint64_t site; } creation;  // functions: that the pointer may be; each gives the new thread another place to start
term life_start_one (build *, const creation *, uint32_t ordinal, term condition);  // the handle of the thread that is started if the condition holds
uint32_t life_thread_for (build *, const creation *, uint32_t ordinal);
term life_started (build *, uint32_t thread);
term life_waits (build *, uint32_t thread);
void life_set_waits (build *, uint32_t thread, term address, term condition);
bool crowd_is_wanted (const build *);                    // crowd.c: one of those may stand for any number of threads
bool crowd_has (const build *, uint32_t thread);         // it belongs to one
term crowd_start (build *, const creation *);            // its handle
term crowd_self (build *);                               // what the running thread is called, one of a crowd
term crowd_choice_of_threads (build *, unsigned more);   // a bit for each thread, then so many more
void crowd_name_twins (build *);
uint32_t build_place (build *, uint32_t copy, uint32_t region, ir_loc);  // build.c: the point there
void build_name_all (build *);                           // names.c: variables and threads, for people
uint32_t build_entry (build *, build_copy, uint32_t *copy);

#endif
