// The program unwound: every thread as a list of steps without loops, each under a condition, with the points at which
// threads may notice each other. The walk (walk.h) makes it; the encoding (event_order.h) says which of its executions
// exist.
//
// A *step* is one edge of the program, executed if its guard is true. A *node* is a point of a thread that other
// threads can notice: one operation, or a whole atomic region. *Events* are the reads and writes of shared cells at a
// node. A read gives a variable; the encoding has to explain its value by a write.
#ifndef LOCKSTEP_ORDER_UNWOUND_H
#define LOCKSTEP_ORDER_UNWOUND_H

#include "encode/term.h"
#include "ir/ir.h"

typedef struct unwound_step {
  ir_edge edge;
  term guard;
  uint32_t node;               // the node that the step belongs to; IR_NONE: no other thread notices the step
  term choice;                 // the value that the step chooses, or TERM_NONE
  term chooses;                // ... if this is true as well
} unwound_step;

typedef struct unwound_node {
  uint32_t thread;
  uint32_t index;              // index among the thread's nodes
  uint32_t first_step, last_step;  // of its thread
  term guard;                  // its thread comes to it
  term executed;               // ... and is not blocked there
  term shows;  // other threads see what it writes: an atomic region hides its writes until the thread leaves it
  uint32_t num_before;         // number of threads in `before`
  const uint32_t *before;  // [0..num_before[: by thread, number of nodes that are over whenever this one is executed
  uint32_t created;            // the thread that the node starts, or IR_NONE
  uint32_t first_joined, num_joined;  // in joins
} unwound_node;

// the node waits for the end of the thread, if the condition is true
typedef struct unwound_join { uint32_t thread; term condition; } unwound_join;

typedef struct unwound_event {
  uint32_t node;
  uint32_t cell;               // events of the same cell access the same memory, except that ...
  term offset;                 // ... a cell that is a whole array has an offset for each access; else TERM_NONE
  term guard, value;           // value: the written one, or the variable that stands for the read one
  bool write;
  term initial;                // of a read: the value before all events; TERM_NONE: the read cannot have it
  // a write that leaves the bytes undefined, or a read whose initial value was: the first reader chooses the value
  bool undefined;
} unwound_event;

// A possible violation: the thread is at the step, and the condition says that the step goes wrong.
typedef struct unwound_goal { ir_property property; term condition; uint32_t thread, step; ir_edge edge; } unwound_goal;

// Why the walk ends early.
typedef enum walk_end { WALK_GOES_ON, WALK_IS_SPENT /* its budget is spent */, WALK_IS_TOO_LONG } walk_end;
// What the walk cannot model: `edge`, which the user's program calls at `place`.
typedef struct unwound_incompleteness { const char *what; ir_edge edge, place; } unwound_incompleteness;
// A thread that goes no further, because its step is wrong or the walk does not follow it; wakes: the waits (WAKES_*)
// that it might still end.
typedef struct unwound_stop { uint32_t thread, step; term condition; uint8_t wakes; } unwound_stop;

// A thread that waits, and what ends the wait: the thread waits for ever if that cannot be executed any more.
typedef struct unwound_wait {
  uint32_t thread, step, node; // node IR_NONE: it reads nothing
  ir_edge edge;
  term blocked;                // the thread waits here
  term owner;  // thread + 1 of the thread that could end the wait, or 0; TERM_NONE: no particular thread
  term by_any_thread;          // if this is true, any other thread could end the wait
  uint8_t by;                  // by an operation of this kind (WAKES_*)
  uint32_t joins;              // the thread waits for the end of this one, or IR_NONE
} unwound_wait;

// An access that may be part of a data race.
typedef struct unwound_access {
  uint32_t node, step;         // step: of the node's thread
  ir_edge edge;
  uint32_t object;
  term offset;
  uint32_t bytes;
  term guard;                  // the thread comes to the access, and the access is within its object
  term dead;                   // the object has ended before
  uint32_t dead_read, dead_write;  // the event that reads whether it has, and the event that ends it; IR_NONE: none
  bool write, plain, in_region;
} unwound_access;

typedef struct unwound_thread {
  uint32_t parent, create_node;  // IR_NONE: of the first thread
  VEC (unwound_step) steps;
  VEC (uint32_t) nodes;        // in program order
  term guard;                  // the thread exists
  term ended;                  // the thread comes to its end
  term leaves;                 // ... or, if it is the first, returns from main
} unwound_thread;

typedef struct unwound {
  VEC (unwound_thread) threads;
  VEC (unwound_node) nodes;
  VEC (unwound_event) events;  // the events of one thread are in program order
  VEC (unwound_join) joins;
  VEC (unwound_goal) goals;
  VEC (unwound_access) accesses;
  VEC (unwound_wait) waits;    // empty unless deadlocks are checked
  VEC (unwound_stop) stops;
  VEC (term) cuts;             // an execution goes on there, but the walk did not follow it
  VEC (bool) cut_is_fixed;     // by cut: unwinding loops more often does not move it
  VEC (term) incomplete;       // the walk cannot model what is executed there
  VEC (unwound_incompleteness) incomplete_at;  // by incompleteness: its description
  VEC (term) facts;            // true in every execution
  const char *bound;           // name of the bound that makes the cuts, or NULL
  walk_end stopped;            // why the walk ended early
  bool cut_required_loop;      // a loop that must go on was cut
  bool inexact;                // some value may be more than it can be: a bug needs its replay
  uint32_t num_cells;
  arena *arena;
} unwound;

void unwound_init (unwound *);
void unwound_release (unwound *);
static inline const unwound_event *unwound_event_at (const unwound *u, uint32_t e) { return &u->events.data[e]; }

#endif
