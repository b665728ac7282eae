// The lock analysis of a program: facts, summaries of procedures, states of threads.  Files in reading order:
//   copies                 the program, with some functions copied for each call
//   stable, value, lock    names for locks that mean the same lock at different places
//   cell, semaphore        atomic variables and semaphores that a program uses as locks
//   later, flag            variables by which a thread tells others how far it is
//   effect                 what a path does to locks: the algebra
//   step, knowledge        the effect of one edge; values that are worth knowing on the way
//   summary                effects from a procedure's entry to each of its locations (LOCK section 5: the augmented thread)
//   context                lock states in which each kind of thread enters each procedure
//   trust                  locks that are released by others than their holders protect nothing
//   nesting                whether locks are given back in the reverse order of taking them
//   element                arrays of data and of locks with one index
//   guard, together        which states exclude each other
//   creation, instance     what creators hold; threads of one kind told apart by their arguments
//   exact                  threads of several kinds told apart by theirs
//   access, race, pair     accesses, and those that may meet
//   order, deadlock, busy  cycles of waiting threads; loops that wait
//   misuse                 locks used wrongly
//   lock_walk, aftermath   one lock on all paths through a procedure, and when it has returned
//   retest                 paths that find a condition true and then false
//   uneven                 procedures that return with a lock on some paths only
//   path, merge, witness   paths, call stacks, merged interleavings
//   protection, lock_graph what protects which variable, and the order of locks, for people
//   locks                  the engine
// temporal_impl.h lists the files of --ltl, which stands beside them.
#ifndef LOCKSTEP_LOCKS_ANALYSIS_H
#define LOCKSTEP_LOCKS_ANALYSIS_H

#include "analysis/calls.h"
#include "analysis/escape.h"
#include "analysis/pointsto.h"
#include "analysis/threads.h"
#include "analysis/unique.h"
#include "base/budget.h"
#include "engine/locks/effect.h"

// A location with the effect of a path to it from the entry of its procedure, and how that path came.
typedef struct node {
  ir_loc at;
  uint32_t effect;
  uint32_t from;               // node before, IR_NONE at the entry
  uint32_t edge;               // taken from there
  uint32_t through;            // of a call: node at the callee's end
  bool covered;                // a weaker effect at the same location is known: not continued
} node;

typedef struct summary {
  bool plain;                  // no lock is touched in it or below: every path has the empty effect
  VEC (uint32_t) exits;        // nodes before RETURN, exported: see `exports`
  VEC (uint32_t) exports;      // [exits]: the effect as callers may name it
  VEC (uint32_t) waiting;      // nodes of callers that stand before a call of it
  VEC (uint32_t) interesting;  // values that decide branches together with locks; at most 64
} summary;

// A state in which a thread of some kind may enter a procedure.
typedef struct context_data {
  uint32_t kind;
  ir_proc proc;
  uint32_t binding;            // parameters that hold fixed addresses
  uint32_t state;              // effect: what is held, by the procedure's names
  uint32_t from, node, call;   // context, node (IR_NONE in a plain procedure) and edge of the call; IR_NONE: the thread starts here
} context_data;
typedef struct context_list { VEC (uint32_t) items; } context_list;

// A variable by which one thread tells others how far it is: see flag.c.
typedef struct flag {
  address at;
  uint32_t object, offset, bytes;
  uint32_t writer;             // kind of the only thread that changes it; IR_NONE: there are several
  uint32_t fact;               // lock_use: it was changed
  bool *behind;                // [location]: the writer may be there when it has changed it
} flag;

typedef struct lock_analysis {
  const ir_program *program;
  const budget *budget;
  pointsto *targets;
  calls *calls;
  threads *threads;
  escape *escape;
  unique *unique;
  stable stable;
  values_table values;
  lock_table locks;
  effects effects;
  summary *summaries;          // [procedure]
  VEC (node) nodes;
  VEC (uint32_t) *at;          // [location]: its nodes
  uint64_t *live;              // [location]: which interesting values may still be tested
  VEC (uint32_t) worklist;
  map substituted;             // call edge << 32 | effect -> effect in the caller's names
  VEC (context_data) contexts;
  intern bindings;
  map bound;                   // binding, procedure and effect -> effect with parameters replaced
  VEC (context_list) lists;
  map context_lists;           // kind << 32 | procedure -> index into lists
  map cells;                   // object << 32 | offset -> bytes: atomic variables that are taken like locks
  map semaphores;              // object << 32 | offset: semaphores that are initialised to 1 -> never to anything else
  VEC (flag) flags;
  map flag_branches;           // ASSUME edge -> flag that was changed if it is taken
  map lock_objects, lock_places;  // what operations on locks may point to: object; object << 32 | offset
  map initialised_objects;        // what initialisations of locks may point to
  map distrusted, distrusted_objects, partly_distrusted;  // places; objects, anywhere in them; objects, somewhere in them
  bool distrust_all;
  uint32_t empty;              // the effect that does nothing
  bool lost;                   // somewhere too much was held to be kept
  bool shortened;              // somewhere there were too many histories to be told apart
  bool nested;                 // every lock given back was the last one taken, as far as it is known
  bool uncertain;              // of some locks it is not
  uint32_t unnested, released, later;  // not nested: edge of a release, its lock_use, that of one taken later and still held; else IR_NONE
} lock_analysis;

// analysis.c
void lock_analysis_init (lock_analysis *, const ir_program *, const budget *);
void lock_analysis_release (lock_analysis *);

// step.c
enum { MOST_OUTCOMES = 2 };
uint32_t step_edge (lock_analysis *, ir_edge, const effect *before, effect after[MOST_OUTCOMES]);  // how many ways it can go on
bool step_is_relevant (lock_analysis *, ir_edge);                   // it does something to locks
typedef struct condition { value term; bool negated; } condition;
condition step_condition (lock_analysis *, value);                  // in one of two equal forms
bool step_evaluate (lock_analysis *, const effect *, value, ir_value *);
bool step_releases (lock_analysis *, ir_edge, unsigned *arg);       // it gives back the lock that this argument names; atomic regions and once aside
lock_use step_lock (lock_analysis *, ir_edge, unsigned arg, bool reads);  // the lock an edge's argument names

// summary.c
void summarise (lock_analysis *);
void for_each_callee (const lock_analysis *, ir_edge call, void (*f) (void *state, ir_proc), void *state);
uint32_t summary_substitute (lock_analysis *, ir_edge call, ir_proc callee, uint32_t effect);  // exported effect, named by the caller
uint32_t summary_export (lock_analysis *, ir_edge ret, const effect *);  // as callers may name it
// The effect of a path to the call becomes that of the path behind it.  False: it does not go on there, or not in this way.
bool summary_follow (lock_analysis *, ir_edge call, ir_proc callee, uint32_t exported, effect *);
bool summary_passes (lock_analysis *, ir_edge call, effect *);           // by a callee that does nothing to locks

// context.c
void find_contexts (lock_analysis *);
lock_use context_use (lock_analysis *, uint32_t context, lock_use);  // a lock named in the context's procedure, with parameters replaced
typedef void state_visitor (void *user, uint32_t context, uint32_t node /* IR_NONE in a plain procedure */, effect *);
void for_each_state (lock_analysis *, uint32_t kind, ir_loc, state_visitor *, void *user);  // in which a thread of the kind may be there

#endif
