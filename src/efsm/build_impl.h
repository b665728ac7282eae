// What the files of the builder share. A machine is built repeatedly, each time with the facts that the previous build
// has found (which threads and objects exist, which threads use which objects, which bytes are accessed as one, which
// addresses a variable may hold), until there is no new fact. Layers, each using only those above: facts, block (values
// within a point), memory, primitive (synchronisation), life (of threads), build (procedures and points).
#ifndef LOCKSTEP_EFSM_BUILD_IMPL_H
#define LOCKSTEP_EFSM_BUILD_IMPL_H

#include "base/limits.h"
#include "efsm/build.h"
#include "efsm/rounds.h"
#include "symbolic/executor.h"

// Level of a thread's start procedure; number of the observer, as a thread that uses the observed bytes.
enum { START_LEVEL = 200, OBSERVER = 63 };

// ---- facts (build_facts.c) --------------------------------------------------------------------------
typedef enum object_kind {
  OBJECT_STATIC, OBJECT_CONSTANT, OBJECT_FUNCTION, OBJECT_LOCAL, OBJECT_STACK, OBJECT_HEAP
} object_kind;
typedef struct object_facts {
  uint32_t bytes;              // its size, or its maximal size
  bool sized;                  // its size is a variable
  bool forgotten;              // a static object whose bytes become undefined somewhere
  uint64_t users, writers;     // threads
  uint64_t outside;            // threads that access it outside atomic regions
  uint8_t *cuts;               // [0..bytes]: a cell begins there; NULL: none yet
} object_facts;
typedef struct build_object {
  object_kind kind;
  ir_object source;            // of a static object, or of the thread-local one this is a copy of
  uint32_t copy;               // STACK: the object ends when this procedure does
  uint32_t thread;             // LOCAL: the thread that owns it
  ir_edge made_by;             // STACK, HEAP: its allocation
  object_facts is, will_be;    // in this build, and in the next one
} build_object;

// A procedure that a thread executes: one copy for all calls, or one for each call edge of one copy.
typedef struct build_copy {
  uint32_t thread, level, region;
  ir_proc proc;
  uint32_t caller;             // copy whose calls it is for; IR_NONE: all
  ir_edge call;
} build_copy;
typedef struct build_thread {
  uint32_t parent;
  VEC (ir_proc) procs;
  uint32_t crowd;              // first of the replicated threads, or IR_NONE
  ir_edge created_by;
} build_thread;

typedef struct build_facts {
  const efsm_options *options;
  const ir_program *program;
  arena *arena;
  pointers pointers;
  VEC (build_object) objects;  // the program's objects come first
  uint32_t num_objects;        // number of objects that the current build knows
  VEC (build_copy) copies;
  VEC (build_thread) threads;
  map object_of, copy_of, thread_of;
  map holds;                   // key of a variable -> set of addresses
  efsm_made_list made;         // creations and allocations that may be executed more than once
  map locks;                   // constant address of a lock -> its number
  map owners;                  // address of the word that names the owner of a lock -> 0
  map counted;  // address of the word of an rwlock or a pthread_once that does not name the threads that hold it -> 0
  map readers;                 // thread << 32 | number of an rwlock that the thread may read -> 0
  VEC (uint32_t) indegree;     // by location
  VEC (uint32_t) circle;       // by procedure: its component in the call graph
  VEC (bool) small;            // by procedure: each call has its own copy (inline_choice.c)
  VEC (bool) shows;  // by edge: it changes the observed location of its thread; empty: no formula observes locations
  bool grew;
} build_facts;

bool is_call_of (const ir_program *, const ir_edge_data *, ir_proc *callee /* IR_NONE: by a pointer */);
void build_facts_init (build_facts *, const efsm_options *);
void build_facts_find_small (build_facts *);
void build_facts_begin (build_facts *);  // starts a build with the facts of the previous one
void build_facts_release (build_facts *);
// whether the number of executions is known, and all are followed
bool build_facts_knows_times (const build_facts *, uint32_t copy, ir_edge);
// number of executions that are followed; 0: the edge is executed once
uint32_t build_facts_repeats (const build_facts *, uint32_t copy, ir_edge);
// adds the object if it is new
uint32_t build_facts_object (build_facts *, uint64_t copy_and_edge, uint32_t ordinal, build_object);
uint32_t build_facts_copy (build_facts *, build_copy);
// IR_NONE: too many threads
uint32_t build_facts_thread (build_facts *, uint32_t parent, uint64_t copy_and_edge, uint32_t ordinal, ir_proc);
void build_facts_use (build_facts *, uint32_t object, uint32_t thread, bool write);
void build_facts_cut (build_facts *, uint32_t object, uint32_t offset);
void build_facts_forgotten (build_facts *, uint32_t object);
void build_facts_hold (build_facts *, uint64_t key, uint32_t set);
void build_facts_outside (build_facts *, uint32_t object, uint32_t thread);
bool build_facts_shared (const build_facts *, uint32_t object);

// ---- a build ----------------------------------------------------------------------------------------
// Variables have keys that are the same in all builds.
typedef enum variable_kind {
  V_REG, V_RETURN_TO, V_MADE, V_READS, V_CELL, V_UNDEFINED, V_ALIVE, V_SIZE, V_STARTED,
  V_FUNCTION, V_ARGUMENT, V_ENDED, V_RESULT, V_GONE, V_WAITS, V_OVER, V_RUNNER, V_SELF
} variable_kind;
// key of a thread or object
#define MADE_KEY(COPY_AND_EDGE, ORDINAL) ((COPY_AND_EDGE) * (LIMIT_MACHINE_ROUNDS + 1) + (ORDINAL))
enum { KEY_MASK = (1 << 29) - 1 };  // mask of A and of B
#define VARIABLE_KEY(KIND, A, B) ((uint64_t) (KIND) << 58 | (uint64_t) (A) << 29 | (B))

// alive: the thread gets to the return within the point.
typedef struct build_return { uint32_t point, copy, region; term value, alive; } build_return;
typedef struct build_call { uint32_t site, copy; ir_reg result; uint32_t caller; ir_loc to; } build_call;
typedef struct point_origin { uint32_t copy, region; ir_loc location; } point_origin;

typedef struct build {
  build_facts *facts;
  const ir_program *program;
  efsm *m;
  term_pool *terms;
  map variable_of;             // key -> variable of the machine
  VEC (uint64_t) keys;         // by variable; 0 if it has no key
  map point_of;                // copy << 40 | region << 32 | location -> point
  VEC (point_origin) places;   // by point: what it stands for
  VEC (uint32_t) work;         // points still to be filled
  VEC (build_return) returns;
  VEC (build_call) calls;
  map linked;                  // point of a return << 32 | call site
  uint32_t end;                // of the running thread
  uint32_t first_site;         // call site in the running thread: the first one
  // The point that is being filled:
  uint32_t point, thread, copy, region;
  term alive;                  // condition under which the thread goes on
  map now;                     // variable -> term, for changed variables
  bool shared, writes;
  bool shows;                  // an observed value may have changed in it
  uint32_t step;
  ir_edge edge;
} build;

// ---- values within a point (block.c) ----------------------------------------------------------------
bool build_selected (const build *, ir_property);
term build_number (build *, unsigned bits, uint64_t);
uint32_t build_variable (build *, variable_kind, uint32_t a, uint32_t b, unsigned bits, uint32_t owner, term initial);
term build_get (build *, uint32_t variable);
void build_put (build *, uint32_t variable, term, term condition);
void build_require (build *, term);
void build_goal (build *, ir_property, term wrong);     // the thread goes no further if `wrong` is true
void build_misuse (build *, term wrong);                // of property locks; the thread goes on
void build_doubt (build *, term, const char *what);     // the thread goes no further, and what follows is not modelled
void build_cut (build *, term, const char *what);
// An operation that blocks until `enabled` is true; the threads that end the wait are as in efsm_wait; owner 0 if there
// is no particular one.
void build_note_wait (build *, term blocked, waiting);  // records a wait; its continuation is modelled by the caller
void build_waits (build *, term enabled, waiting);
term build_choice (build *, unsigned bits, term condition);
executor build_executor (build *);                      // build_executor.c
term build_arg (build *, unsigned);
void build_set (build *, ir_reg, term);
void build_result (build *, term);                      // sets the edge's first result
uint32_t build_reg (build *, uint32_t copy, ir_reg);
ir_proc build_proc_of (const build *, uint32_t object);  // IR_NONE: the object is no function
void build_check_function (build *, const targets *);   // the thread goes on only if the pointer can be called

// ---- memory (memory.c) ------------------------------------------------------------------------------
// the thread goes on only if the access is allowed
void store_check (build *, term address, access_kind, targets *good);
cells store_read (build *, const targets *, uint32_t at, uint32_t bytes);
void store_write (build *, const targets *, uint32_t at, uint32_t bytes, cells, term condition);
// enumerates the constant offsets that the target may have; IR_NONE: no more
uint32_t store_places (build *, const target *, uint32_t bytes, uint32_t number);
uint32_t store_local_copy (build *, ir_object);
void store_alloc (build *);
void store_object_size (build *);
void store_end_frame (build *);                           // ends the stack objects of the running procedure
void store_end_thread (build *);                          // ends all stack objects of the thread
void store_free (build *);
void store_forget (build *);
bool store_is_shared (build *, ir_edge);                  // whether the edge would access memory that other threads see

bool watch_shows (const build *, ir_edge);               // watch.c
bool watch_branch_shows (const build *, ir_loc);
void watch_find_edges (build_facts *);
void watch_view (build *);
void primitive_execute (build *);                            // primitive.c
// an access that is no operation on a lock, but may overlap one
void primitive_note_access (build *, const targets *, uint32_t bytes, bool write);
// called before a data write, which may overlap a lock
void primitive_note_write (build *, uint32_t bytes, term value);
term primitive_holds_any (build *);
void primitive_end_holding (build *);
void life_create (build *);                           // life.c
void life_join (build *);
void life_detach (build *);
void life_end (build *, term result);
void life_start (build *);                            // adds the point at which a thread waits to be started
term life_over (build *);                             // the process has ended
void life_exit_process (build *);
// functions: the functions that the pointer may name; each gives the new thread another start point
typedef struct creation { term function, argument; targets functions; uint64_t site; } creation;
// returns the handle of the thread that is started if the condition is true
term life_start_one (build *, const creation *, uint32_t ordinal, term condition);
uint32_t life_thread_for (build *, const creation *, uint32_t ordinal);
term life_started (build *, uint32_t thread);
term life_waits (build *, uint32_t thread);
void life_set_waits (build *, uint32_t thread, term address, term condition);
bool crowd_is_wanted (const build *);                    // crowd.c: the creation may make replicated threads
bool crowd_has (const build *, uint32_t thread);         // the thread is one of the replicated threads
term crowd_start (build *, const creation *);            // returns the handle
term crowd_self (build *);                               // the handle of the running thread, which is replicated
term crowd_choice_of_threads (build *, unsigned more);   // a bit for each thread, then `more` further bits
void crowd_name_twins (build *);
uint32_t build_place (build *, uint32_t copy, uint32_t region, ir_loc);  // build.c: the point for this location
void build_name_all (build *);                           // names.c: names of variables and threads, for the user
uint32_t build_entry (build *, build_copy, uint32_t *copy);

#endif
