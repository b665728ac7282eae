// The lock states of threads: what every path does to locks, by summaries of procedures and the contexts in which threads
// enter them.  Files in reading order:
//   effect              what a path does to locks: the algebra
//   cas_lock            atomic variables that a program uses as locks
//   semaphore_lock      semaphores that a program uses as locks
//   progress_flag       variables by which a thread announces that it has passed some point
//   tracked_values      values that are tracked along paths, because branches on them decide what happens to locks
//   edge_effect         the effect of one edge
//   lock_summary        effects from a procedure's entry to each of its locations (LOCK section 5: the augmented thread)
//   call_context        lock states in which each kind of thread enters each procedure
//   discipline          locks that only their holders release; no other lock protects anything
//   nesting             whether locks are released in the reverse order of their acquisition
//   lock_analysis       all of it
#ifndef LOCKSTEP_LOCKS_STATES_H
#define LOCKSTEP_LOCKS_STATES_H

#include "analysis/calls.h"
#include "analysis/escape.h"
#include "analysis/pointsto.h"
#include "analysis/threads.h"
#include "analysis/unique.h"
#include "base/budget.h"
#include "base/idset.h"
#include "engine/locks/names/names.h"

// ---- effect.c ------------------------------------------------------------------------------------------
// What a piece of a thread's path does to its locks (LOCK, definition 4, made relative to an unknown beginning): which locks
// of the beginning it gives back, which it takes and still holds, each with its acquisition history, and which it takes
// at all (these enter the histories of what was held before).  Effects are interned: equal ones have equal numbers.
//
// The state of a thread is the effect of its path from its start, where nothing is held.
typedef struct held_lock {
  uint32_t use;                // lock_use
  uint32_t history;            // idset of lock_use: taken after it
  uint16_t count;              // of a recursive mutex
  bool sure;                   // false: it may have been given back
  uint32_t edge;               // where it was taken
} held_lock;

typedef struct known_value { uint32_t value; uint32_t zero; uint64_t low; } known_value;  // a term and the number it has

enum { MOST_HELD = 32, MOST_RELEASED = 32, MOST_KNOWN = 8, MOST_COUNT = 8,
       MOST_NAMES = 16 /* of locks that are not fixed, in a set that leaves a procedure */ };

typedef struct effect {
  uint32_t num_held, num_released, num_known;
  uint32_t acquired;           // idset of lock_use
  uint32_t wanted;             // idset of lock_use: had to be free at the beginning
  uint32_t facts;              // idset of lock_use: `once` routines it has seen done
  uint32_t created;            // idset of edges: threads it has created
  uint32_t since;              // idset of `pairs`: locks held ever since a thread was created
  held_lock held[MOST_HELD];   // in order of acquisition; then those that are not sure or vague, by number
  uint32_t released[MOST_RELEASED];  // lock_use of locks of the beginning, in order; then vague ones, by number
  known_value known[MOST_KNOWN];     // by term
  bool lost;                   // too much to keep: what is held is not known
} effect;

typedef struct effects {
  lock_table *locks;
  idsets sets;
  intern table;
  intern pairs;                // held_since
  map ended;                   // locks for which a thread waited that held them: its path ended there
  bool never_ends;             // it goes on, because others may have given the lock back
} effects;

typedef struct held_since { uint32_t create, use; } held_since;

uint32_t effect_intern (effects *, const effect *);
void effect_load (const effects *, uint32_t number, effect *out);

held_since effect_pair (const effects *, uint32_t item);         // of a set `since`
held_lock *effect_find (effect *, lock_use);                     // the same lock, held for reading or writing; NULL
const held_lock *effect_may_hold (const effects *, const effect *, lock_use);  // the first that may be the lock, by whatever name; NULL

bool effect_knows (const effect *, value, ir_value *);

// ---- lock_analysis.c -----------------------------------------------------------------------------------
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

// A variable by which one thread tells others how far it is: see progress_flag.c.
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

void lock_analysis_init (lock_analysis *, const ir_program *, const budget *);
void lock_analysis_release (lock_analysis *);

// ---- edge_effect.c ---------------------------------------------------------------------------------------
enum { MOST_OUTCOMES = 2 };
uint32_t step_edge (lock_analysis *, ir_edge, const effect *before, effect after[MOST_OUTCOMES]);  // how many ways it can go on
bool step_is_relevant (lock_analysis *, ir_edge);                   // it does something to locks
typedef struct condition { value term; bool negated; } condition;
condition step_condition (lock_analysis *, value);                  // in one of two equal forms
bool step_evaluate (lock_analysis *, const effect *, value, ir_value *);
bool step_releases (lock_analysis *, ir_edge, unsigned *arg);       // it gives back the lock that this argument names; atomic regions and once aside
lock_use step_lock (lock_analysis *, ir_edge, unsigned arg, bool reads);  // the lock an edge's argument names

// ---- lock_summary.c --------------------------------------------------------------------------------------
void for_each_callee (const lock_analysis *, ir_edge call, void (*f) (void *state, ir_proc), void *state);
uint32_t summary_substitute (lock_analysis *, ir_edge call, ir_proc callee, uint32_t effect);  // exported effect, named by the caller
uint32_t summary_export (lock_analysis *, ir_edge ret, const effect *);  // as callers may name it
// The effect of a path to the call becomes that of the path behind it.  False: it does not go on there, or not in this way.
bool summary_follow (lock_analysis *, ir_edge call, ir_proc callee, uint32_t exported, effect *);
bool summary_passes (lock_analysis *, ir_edge call, effect *);           // by a callee that does nothing to locks

// ---- call_context.c --------------------------------------------------------------------------------------
lock_use context_use (lock_analysis *, uint32_t context, lock_use);  // a lock named in the context's procedure, with parameters replaced
typedef void state_visitor (void *user, uint32_t context, uint32_t node /* IR_NONE in a plain procedure */, effect *);
void for_each_state (lock_analysis *, uint32_t kind, ir_loc, state_visitor *, void *user);  // in which a thread of the kind may be there

// ---- tracked_values.c ------------------------------------------------------------------------------------
void knowledge_drop (const lock_analysis *, ir_loc, effect *);         // what is known but not tested any more from there on

// ---- discipline.c --------------------------------------------------------------------------------------
// Which locks can be believed in: nobody releases what another thread holds, initialises it again, or writes over it.
bool trust_lock (const lock_analysis *, uint32_t lock);
bool trust_makes_lock (const lock_analysis *, ir_edge);  // a write as of data after which a lock may be held, or destroyed, without an operation on it
bool trust_undisturbed (const lock_analysis *, ir_edge);  // when the edge is taken nobody else can reach what its first argument points to

// ---- nesting.c -----------------------------------------------------------------------------------------
// Whether each thread gives back its locks in the reverse order of taking them: only then is LOCK theorem 5 exact.
const char *nesting_note (lock_analysis *, arena *);             // how the answer is to be read; NULL: there are no locks

// ---- progress_flag.c -----------------------------------------------------------------------------------
// Variables by which one thread tells others how far it is.  Who has seen such a variable with another value than the first knows that the thread is past all that it does before
// it writes the variable.
// A thread of the kind is not there any more when another one knows these facts.
bool flags_exclude (lock_analysis *, uint32_t kind, ir_loc, uint32_t facts);

// ---- cas_lock.c ----------------------------------------------------------------------------------------
// Locks that a program makes itself from an atomic variable: 0 is free, compare-and-swap from 0 (or exchange, if the old value
// was 0) takes it, storing 0 gives it back.
typedef enum cell_op {
  CELL_NONE,
  CELL_TAKE_IF_EQUAL,          // compare-and-swap 0 -> something else
  CELL_TAKE_BY_EXCHANGE,       // exchange for something else than 0
  CELL_GIVE,                   // store of 0
  CELL_GIVE_IF_EQUAL,          // compare-and-swap something else -> 0
  CELL_KEEP                    // compare-and-swap between values other than 0
} cell_op;

cell_op cell_op_of (lock_analysis *, ir_edge);      // CELL_NONE if the edge does not touch such a variable

// ---- semaphore_lock.c ----------------------------------------------------------------------------------
// Semaphores that a program uses as mutexes: initialised to 1 and nothing else, waited for to take them, posted to give them back.
bool is_semaphore_op (ir_op);
bool semaphore_touched (lock_analysis *, ir_edge);   // it is an operation on what may be one of them

#endif
