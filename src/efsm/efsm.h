// Threads as extended finite-state machines: control points, variables, and the effect of each point on the variables,
// as terms. Paper LAZY (2.1) and the circuits of paper CIRC take programs in this form: loops are not unwound; a
// procedure exists once or, if it is small, once for each call.
//
//   efsm m;
//   efsm_init (&m);
//   uint32_t t = efsm_add_thread (&m), x = efsm_add_variable (&m, 32, t, zero, "x");
//   uint32_t a = efsm_add_point (&m, t, "1a"), b = efsm_add_point (&m, t, "2a");
//   efsm_set (&m, a, x, term_add (&m.terms, m.variables.data[x].now, one));
//   efsm_add_exit (&m, a, b, m.terms.truth);
//   m.threads.data[t].start = a;
//   efsm_add_syncs (&m);          // the paper's read_sync and write_sync around what is shared
//
// build.h makes one from a program.
#ifndef LOCKSTEP_EFSM_H
#define LOCKSTEP_EFSM_H

#include "encode/term.h"
#include "ir/ir.h"

typedef struct efsm_variable {
  term now;                    // stands for the value when a step begins
  term initial;                // TERM_NONE: any value
  uint32_t owner;              // thread; IR_NONE: shared
  const char *name;            // unique name for the user, or NULL
  // the original value as a term over `now`, if the variable was made narrower (narrow.h); TERM_NONE: `now` itself
  term value;
  // replicated thread that the variable belongs to, although other threads may see it; or IR_NONE
  uint32_t crowd_thread;
  uint32_t twin;               // ... and the corresponding variable of the first replicated thread
  bool names_thread;           // number of a thread + 1 or a value that names no thread: the owner of a lock
} efsm_variable;

typedef enum point_kind { POINT_BLOCK, POINT_READ_SYNC, POINT_WRITE_SYNC, POINT_IDLE } point_kind;

typedef struct efsm_update { uint32_t variable; term value; } efsm_update;
typedef struct efsm_touch { uint32_t variable; bool written; } efsm_touch;
typedef struct efsm_step { ir_edge edge; term choice /* or TERM_NONE */, chooses /* ... if this holds */; } efsm_step;
// One access of a point, for races; `step` steps of the point come before it.
typedef struct efsm_access {
  term condition, address;
  uint32_t bytes, step;
  ir_edge edge;
  bool write, plain, in_region /* an atomic one */;
} efsm_access;
// If the condition is true at the point, step number `step` of the point is a violation.
typedef struct efsm_goal { ir_property property; term condition; uint32_t step; ir_edge edge; } efsm_goal;
// If the condition is true, the machine leaves out executions of the program: they are cut off or not modelled.
typedef struct efsm_loss { term condition; const char *what; bool is_cut; ir_edge edge; } efsm_loss;
// A wait of a thread, and the threads that could end it (docs/formats/ir.md, "Properties"). Only if deadlocks are
// checked.
typedef struct efsm_wait {
  term blocked;
  term owner;                  // number of that thread + 1; 0: none; IR_OWNER_ENDED: a thread that has ended
  // if true, not the owner but any thread ends the wait, by an operation of the kind `by` (analysis/wakers.h)
  term by_any_thread;
  uint8_t by;
  // if by_any_thread is false and there is no owner: all readers of this rwlock (efsm.readers) end it; or IR_NONE
  uint32_t rwlock;
  uint32_t step;               // number of steps of the point before it
  ir_edge edge;
} efsm_wait;
typedef struct efsm_exit {
  uint32_t to;
  term guard;
  uint32_t call;               // the exit enters a procedure from this call site, or IR_NONE
  uint32_t returns;            // the exit returns to this call site, or IR_NONE
} efsm_exit;

typedef struct efsm_point {
  point_kind kind;
  uint32_t thread;
  uint32_t copy;               // number of its procedure copy within the machine
  ir_loc location;             // IR_NONE: none
  const char *name;            // or NULL
  bool shared, writes;         // accesses, changes what other threads see
  bool opens, closes;          // another thread may have to run just before it, just after it
  bool inside;                 // a thread at this point is in an atomic region: no other thread steps
  bool shows;                  // the point may change observed values (build.h): the observer must see the thread here
  uint32_t block;              // of a sync: the point before or after which it is
  uint64_t acquires, releases; // locks by number (efsm.num_locks), must-alias
  bool moves_right, moves_left;  // the point only acquires, only releases one of these locks
  bool joins;                  // the thread goes on only when the joined thread has ended
  VEC (efsm_update) updates;   // at most one per variable
  VEC (efsm_exit) exits;       // guards exclude each other; if none is true, the thread goes no further
  VEC (efsm_step) steps;
  VEC (efsm_access) accesses;
  // shared memory that the point accesses where races matter, even if no term needs its value
  VEC (efsm_touch) touches;
  VEC (efsm_goal) goals;
  VEC (efsm_loss) losses;
  VEC (efsm_wait) waits;
} efsm_point;

// The variables that say whether the thread was started, joined or detached, and has ended; IR_NONE: it runs from the
// beginning, is never joined, or its end is not used.
typedef struct efsm_thread {
  uint32_t start, started, gone, ended, end;  // start and end are points; or IR_NONE
  uint32_t given[2];           // variables, or IR_NONE: written when the thread is started, not read before
  const char *name;            // or NULL
  uint32_t crowd;              // first of the symmetric threads that stand for any number (build.h); or IR_NONE
  ir_edge created_by;          // creation of replicated threads
} efsm_thread;
typedef struct efsm_copy {
  uint32_t entry;              // IR_NONE: never called
  ir_proc proc;
  bool is_start;               // the start procedure of its thread
} efsm_copy;
// A call site, and the point at which the caller goes on.
// current: a thread in the copy was called from this site; or TERM_NONE.
typedef struct efsm_site { uint32_t from, copy, to; term current; ir_edge edge; } efsm_site;
// How often a thread holds an rwlock (by its number) for reading: a variable.
typedef struct efsm_reader { uint32_t thread, rwlock, variable; } efsm_reader;

typedef struct efsm_input { term now; const char *name; } efsm_input;

// What clients observe of a state, as terms over the variables (build.h: efsm_watch); empty unless a formula is
// checked.
typedef struct efsm_view {
  VEC (term) bytes;            // by efsm_bytes: its value
  VEC (term) started;          // by thread
} efsm_view;

typedef struct efsm {
  term_pool terms;
  arena *arena;
  VEC (efsm_variable) variables;
  VEC (efsm_point) points;
  VEC (efsm_thread) threads;
  VEC (efsm_copy) copies;
  VEC (efsm_site) sites;
  VEC (efsm_reader) readers;
  map variable_of;  // term of a variable -> its number; a variable of the pool that is not in the map is an input
  VEC (efsm_input) inputs;     // values that the program may choose, with names for the user
  VEC (term) thread_choices;   // inputs whose bit t belongs to thread t, for all existing threads
  uint32_t num_locks;          // at most 64
  uint64_t observed;           // locks that some operation inspects without waiting for them
  uint64_t data;  // locks whose words some thread accesses as data, so that even waiting for them may be a race
  uint32_t over;               // variable that says that the process has ended, or IR_NONE
  bool shows_waits;            // deadlocks are checked
  unsigned offset_bits;        // offset bits of the pointers in accesses
  efsm_view view;
} efsm;

void efsm_init (efsm *);
void efsm_release (efsm *);
void efsm_release_point (efsm_point *);
uint32_t efsm_add_thread (efsm *);
uint32_t efsm_add_variable (efsm *, unsigned bits, uint32_t owner, term initial, const char *name);
uint32_t efsm_add_point (efsm *, uint32_t thread, const char *name);
void efsm_set (efsm *, uint32_t point, uint32_t variable, term value);
term efsm_get (const efsm *, uint32_t point, uint32_t variable);  // the value of the variable after the point
void efsm_add_exit (efsm *, uint32_t from, uint32_t to, term guard);
// Applies `f` to every term of the point that is neither an update nor the guard of an exit.
void efsm_map_conditions (efsm_point *, term (*f) (void *, term), void *);
// both accesses are executed, overlap, and are not both reads
term efsm_conflict (term_pool *, const efsm_access *, const efsm_access *);
// Adds a read sync before each point that opens and a write sync after each that closes, as in figure 2 of the paper.
void efsm_add_syncs (efsm *);
uint64_t efsm_state_bits (const efsm *);   // number of bits of all variables
void efsm_print (const efsm *, const ir_program * /* or NULL */, FILE *);

#endif
