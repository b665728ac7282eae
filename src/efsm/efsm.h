// Threads as finite-state machines: control points, variables, and what each point does to them, as terms.  The form in which paper LAZY
// (2.1: extended finite state machines) and circuits (paper CIRC) take a program: loops are not unwound, procedures stand there once, or, small ones, once for each call.
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
  term now;                    // stands for its value when a step begins
  term initial;                // TERM_NONE: any value
  uint32_t owner;              // thread; IR_NONE: shared
  const char *name;            // as people call it, each another; or NULL
  term value;                  // what it stands for, over `now`, if it was made narrower (narrow.h); TERM_NONE: `now` itself
  uint32_t crowd_thread;       // of a thread of a crowd (below): whose it is, though others may see it; or IR_NONE
  uint32_t twin;               // ... and what is the same of the first thread of the crowd
  bool names_thread;           // a number of a thread + 1, or one that is no thread's: the owner of a lock
} efsm_variable;

typedef enum point_kind { POINT_BLOCK, POINT_READ_SYNC, POINT_WRITE_SYNC, POINT_IDLE } point_kind;

typedef struct efsm_update { uint32_t variable; term value; } efsm_update;
typedef struct efsm_touch { uint32_t variable; bool written; } efsm_touch;
typedef struct efsm_step { ir_edge edge; term choice /* or TERM_NONE */, chooses /* ... if this holds */; } efsm_step;
// One of what a point may access, for races; `step` steps of the point come before it.
typedef struct efsm_access { term condition, address; uint32_t bytes, step; ir_edge edge; bool write, plain, in_region /* an atomic one */; } efsm_access;
// If the condition holds at the point, its step number `step` is a violation.
typedef struct efsm_goal { ir_property property; term condition; uint32_t step; ir_edge edge; } efsm_goal;
// If the condition holds the machine does less than the program: it is cut off, or it does not know what follows.
typedef struct efsm_loss { term condition; const char *what; bool is_cut; ir_edge edge; } efsm_loss;
// A thread that is blocked here, and who could end that (docs/formats/ir.md, "Properties").  Only if deadlocks are asked for.
typedef struct efsm_wait {
  term blocked;
  term owner;                  // number of that thread + 1; 0: none; IR_OWNER_ENDED: one that has ended
  term by_any_thread;                // if this holds not the owner but any thread ends it, by an operation of the kind `by` (analysis/wakers.h)
  uint8_t by;
  uint32_t rwlock;             // and if it does not, and there is no owner: all who read it (efsm.readers), or IR_NONE
  uint32_t step;               // so many steps of the point come before it
  ir_edge edge;
} efsm_wait;
typedef struct efsm_exit {
  uint32_t to;
  term guard;
  uint32_t call;               // it enters a procedure from this call site, or IR_NONE
  uint32_t returns;            // it leaves one to this call site, or IR_NONE
} efsm_exit;

typedef struct efsm_point {
  point_kind kind;
  uint32_t thread;
  uint32_t copy;               // procedure it belongs to, as a number within the machine
  ir_loc location;             // IR_NONE: none
  const char *name;            // or NULL
  bool shared, writes;         // touches, changes what other threads see
  bool opens, closes;          // another thread could run just before it, just after it
  bool inside;                 // who stands before it is in an atomic region: nobody else moves
  bool shows;                  // it may change what is watched (build.h): whoever looks on must see the thread there
  uint32_t block;              // of a sync: the point it stands before or after
  uint64_t acquires, releases; // locks by number (efsm.num_locks), known to be meant
  bool moves_right, moves_left;  // it is nothing but taking, releasing one of them
  bool joins;                  // goes on only when the thread it names has ended
  VEC (efsm_update) updates;  // at most one per variable
  VEC (efsm_exit) exits;    // guards exclude each other; none holds: the thread goes no further
  VEC (efsm_step) steps;
  VEC (efsm_access) accesses;
  VEC (efsm_touch) touches;     // shared memory that it accesses where races matter, even if no term needs its value any more
  VEC (efsm_goal) goals;
  VEC (efsm_loss) losses;
  VEC (efsm_wait) waits;
} efsm_point;

// The variables that say whether it was started, joined or detached, and has ended; IR_NONE: it runs from the beginning, it stays, nobody asks.
typedef struct efsm_thread {
  uint32_t start, started, gone, ended, end;  // start and end are points; or IR_NONE
  uint32_t given[2];           // variables, or IR_NONE: written where it is started, read by nobody before
  const char *name;            // or NULL
  uint32_t crowd;              // threads that are alike and stand for any number of them (build.h) have the same, the first of them; or IR_NONE
  ir_edge created_by;          // of a crowd
} efsm_thread;
typedef struct efsm_copy {
  uint32_t entry;              // IR_NONE: nobody calls it
  ir_proc proc;
  bool is_start;               // where its thread starts
} efsm_copy;
// Where a procedure is called and where it goes on.
typedef struct efsm_site { uint32_t from, copy, to; term current /* who is in the copy was called from here; or TERM_NONE */; ir_edge edge; } efsm_site;
// How often a thread reads an rwlock, by its number: a variable.
typedef struct efsm_reader { uint32_t thread, rwlock, variable; } efsm_reader;

typedef struct efsm_input { term now; const char *name; } efsm_input;

// What others want to know of a state, as terms over the variables (build.h: efsm_watch); only if it is watched.
typedef struct efsm_view {
  VEC (term) bytes;            // by efsm_bytes: their value
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
  map variable_of;             // term of a variable -> its number; a variable of the pool that is not here is an input
  VEC (efsm_input) inputs;     // values that the program may choose, as people call them
  VEC (term) thread_choices;   // inputs whose bit number t is about thread t, as long as there is such a thread
  uint32_t num_locks;          // at most 64
  uint64_t observed;           // locks that some operation looks at without waiting for them
  uint64_t data;               // locks whose words somebody accesses like data, so that even waiting for them may be a race
  uint32_t over;               // the variable that says that the process has ended, or IR_NONE
  bool shows_waits;            // deadlocks are asked for
  unsigned offset_bits;        // of the pointers in accesses
  efsm_view view;
} efsm;

void efsm_init (efsm *);
void efsm_release (efsm *);
void efsm_release_point (efsm_point *);
uint32_t efsm_add_thread (efsm *);
uint32_t efsm_add_variable (efsm *, unsigned bits, uint32_t owner, term initial, const char *name);
uint32_t efsm_add_point (efsm *, uint32_t thread, const char *name);
void efsm_set (efsm *, uint32_t point, uint32_t variable, term value);
term efsm_get (const efsm *, uint32_t point, uint32_t variable);  // its value after the point
void efsm_add_exit (efsm *, uint32_t from, uint32_t to, term guard);
// Every term of the point that is neither an update nor the guard of an exit becomes what `f` makes of it.
void efsm_map_conditions (efsm_point *, term (*f) (void *, term), void *);
term efsm_conflict (term_pool *, const efsm_access *, const efsm_access *);  // both happen, they overlap and are no pair of reads
// Puts a read sync before each point that opens and a write sync after each that closes, as figure 2 of the paper.
void efsm_add_syncs (efsm *);
uint64_t efsm_state_bits (const efsm *);   // of all variables
void efsm_print (const efsm *, const ir_program * /* or NULL */, FILE *);

#endif
