// The program unwound: every thread as a list of steps without loops, each under a condition, and the moments at which threads may
// notice each other.  The walk (walk.h) makes it; encodings (order.h) say which of its executions exist.
//
// A *step* is one edge of the program, taken if its guard holds.  A *node* is a moment in the life of a thread that others can notice: one
// operation, or a whole atomic region.  *Events* are the reads and writes of shared cells that happen at a node.  A read gives a variable, whose
// value the encoding has to explain by a write.
#ifndef LOCKSTEP_ORDER_UNWOUND_H
#define LOCKSTEP_ORDER_UNWOUND_H

#include "encode/term.h"
#include "ir/ir.h"

typedef struct unwound_step {
  ir_edge edge;
  term guard;
  uint32_t node;               // it belongs to, or IR_NONE: nobody else notices it
  term choice;                 // what it chooses, or TERM_NONE
  term chooses;                // ... if this holds as well
} unwound_step;

typedef struct unwound_node {
  uint32_t thread;
  uint32_t index;              // among the thread's nodes
  uint32_t first_step, last_step;  // of its thread
  term guard;                  // its thread comes to it
  term happens;                // ... and is not blocked there
  term shows;                  // others see what it writes: a region that is not left keeps it to itself
  uint32_t num_before;         // threads that `before` speaks of
  const uint32_t *before;      // [0..num_before[: so many nodes of each thread are over then, whenever this one happens
  uint32_t created;            // the thread it starts, or IR_NONE
  uint32_t first_joined, num_joined;  // in joins
} unwound_node;

typedef struct unwound_join { uint32_t thread; term condition; } unwound_join;  // the node waits for the end of it, if this holds

typedef struct unwound_event {
  uint32_t node;
  uint32_t cell;               // the same cell, the same memory, except that ...
  term offset;                 // ... a cell that is a whole array has an offset for each access; else TERM_NONE
  term guard, value;           // value: written, or the variable that stands for what is read
  bool write;
  term initial;                // a read: what was there before everything, or TERM_NONE: it cannot have been
  bool undefined;              // a write that leaves the bytes undefined, or a read whose initial value was: the first reader chooses it
} unwound_event;

// Something that should not happen: the thread stands before the step and it is wrong.
typedef struct unwound_goal { ir_property property; term condition; uint32_t thread, step; ir_edge edge; } unwound_goal;

// A thread that goes no further: something is wrong there, or it is not followed.
// Nothing is known behind it: of `edge`, as the program calls it at `place`.
typedef enum walk_end { WALK_GOES_ON, WALK_IS_SPENT /* the budget is */, WALK_IS_TOO_LONG } walk_end;
typedef struct unwound_doubt { const char *what; ir_edge edge, place; } unwound_doubt;
typedef struct unwound_stop { uint32_t thread, step; term condition; uint8_t wakes; /* WAKES_*: what it might still do from there */ } unwound_stop;

// A thread that waits, and what it would take to go on: for ever, if that cannot come about any more.
typedef struct unwound_wait {
  uint32_t thread, step, node; // node IR_NONE: it reads nothing
  ir_edge edge;
  term blocked;                // it waits here
  term owner;                  // thread + 1 of who could end that, if not 0; TERM_NONE: that is nobody in particular
  term anybody;                // if this holds any other thread could,
  uint8_t by;                  // by an operation of this kind (WAKES_*)
  uint32_t joins;              // it waits for the end of this thread, or IR_NONE
} unwound_wait;

// What races are made of.
typedef struct unwound_access {
  uint32_t node, step;         // the step of the node's thread
  ir_edge edge;
  uint32_t object;
  term offset;
  uint32_t bytes;
  term guard;                  // the thread comes to it, and it is within its object,
  term dead;                   // which may have ended before; IR_NONE: there is no event that
  uint32_t dead_read, dead_write;  // tells so, or that ends it
  bool write, plain, in_region;
} unwound_access;

typedef struct unwound_thread {
  uint32_t parent, create_node;  // IR_NONE of the first
  VEC (unwound_step) steps;
  VEC (uint32_t) nodes;          // in program order
  term guard;                  // it exists
  term ended;                  // it comes to its end
  term leaves;                 // ... or, if it is the first, returns from main
} unwound_thread;

typedef struct unwound {
  VEC (unwound_thread) threads;
  VEC (unwound_node) nodes;
  VEC (unwound_event) events;  // of one thread in program order
  VEC (unwound_join) joins;
  VEC (unwound_goal) goals;
  VEC (unwound_access) accesses;
  VEC (unwound_wait) waits;    // if deadlocks are looked for
  VEC (unwound_stop) stops;
  VEC (term) cuts;             // an execution goes on there, but was not followed
  VEC (bool) cut_is_fixed;     // by cut: it stays where it is when loops are unwound more often
  VEC (term) doubts;           // ... or something happens there that the walk does not know
  VEC (unwound_doubt) doubt_is;  // by doubt: what it is
  VEC (term) facts;            // hold in every execution
  const char *bound;           // what the cuts are, or NULL
  walk_end stopped;           // why the walk was not finished
  bool impatient;              // a loop that surely goes on was cut
  bool inexact;                // some value may be more than it can be: a bug needs its replay
  uint32_t num_cells;
  arena *arena;
} unwound;

void unwound_init (unwound *);
void unwound_release (unwound *);

#endif
