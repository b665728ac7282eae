// The lock states of threads: what every path does to locks, by summaries of procedures and the contexts in which
// threads enter them.  Files in reading order:
//   effect              what a path does to locks: the algebra
//   effect_rename       effects when a register changes and across calls
//   effect_order        which of two effects subsumes the other
//   cas_lock            atomic variables that a program uses as locks
//   semaphore_lock      semaphores that a program uses as locks
//   progress_flag       variables by which a thread announces that it has passed some point
//   tracked_values      values that are tracked along paths, because branches on them decide what happens to locks
//   edge_effect         the effect of one edge
//   lock_summary        effects from a procedure's entry to each of its locations (LOCK section 5)
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
#include "base/limits.h"
#include "engine/locks/names/names.h"

// ---- effect.c -------------------------------------------------------------------------------------------------------
// What a piece of a path does to locks (LOCK, definition 4, made relative to an unknown beginning): which locks of the
// beginning it releases, which it acquires and still holds, each with its acquisition history, and which it acquires at
// all (these enter the histories of locks that were held before).  Effects are interned: equal ones have equal numbers.
//
// The state of a thread is the effect of its path from its start, where it holds nothing.
typedef struct held_use {
  uint32_t use;                // lock_use
  uint32_t history;            // idset of lock_use: acquired after it
  uint16_t count;              // how often, of a recursive mutex
  bool must;                   // it is certainly held; false: it may have been released (may-held)
  uint32_t edge;               // where it was acquired
} held_use;

typedef struct tracked_value { uint32_t value; uint32_t zero; uint64_t low; } tracked_value;  // a term and its number

typedef struct effect {
  uint32_t num_held, num_released, num_tracked;
  uint32_t acquired;           // idset of lock_use
  uint32_t needs_free;         // idset of lock_use: acquired, and not released before, so not held at the beginning
  uint32_t facts;              // idset of lock_use: `once` routines seen done, progress flags seen changed
  uint32_t created;            // idset of edges: thread creations
  uint32_t since;              // idset of effects.pairs: locks held ever since a thread was created
  held_use held[LIMIT_LOCKS_HELD];    // must-held and resolved ones in order of acquisition; then all others by number
  // lock_use of locks of the beginning, in order; then unresolved ones by number
  uint32_t released[LIMIT_LOCKS_RELEASED];
  tracked_value tracked[LIMIT_LOCK_KNOWN];  // by term
  bool overflowed;             // too much to keep: which locks are held is not known
} effect;

typedef struct effects {
  lock_table *locks;
  idsets sets;
  intern table;
  intern pairs;                // held_since
  map self_blocked;            // locks that a path acquired although it held them; the path ended there
  bool others_may_release;     // such a path goes on, because another thread may release the lock
} effects;

typedef struct held_since { uint32_t create, use; } held_since;

uint32_t effect_intern (effects *, const effect *);
void effect_load (const effects *, uint32_t number, effect *out);
held_since effect_pair (const effects *, uint32_t item);         // of a set `since`
held_use *effect_find (effect *, lock_use);                      // by name, held for reading or writing; NULL
const held_use *effect_may_hold (const effects *, const effect *, lock_use);  // the first that may alias the lock; NULL
bool effect_tracked_value (const effect *, value_term, ir_value *);
// "The lock is certainly held": by this name, resolved, in an effect that has not overflowed.
bool effect_must_hold (const effects *, effect *, lock_use);

// ---- lock_analysis.c ------------------------------------------------------------------------------------------------
// A location with the effect of a path from the entry of its procedure to it, and the last edge of that path.
typedef struct summary_node {
  ir_loc at;
  uint32_t effect;
  uint32_t from;               // node before, IR_NONE at the entry
  uint32_t edge;               // from there to here
  uint32_t through;            // if the edge is a call: node at the callee's end
  bool covered;                // a weaker effect at the same location subsumes it: not continued
} summary_node;

typedef struct lock_summary {
  bool neutral;                // neither it nor its callees touch a lock: every path has the empty effect
  VEC (uint32_t) exits;        // nodes before RETURN
  VEC (uint32_t) exports;      // [exits]: the effect as callers may name it
  VEC (uint32_t) waiting;      // nodes of callers that stand before a call of it
  VEC (uint32_t) tracked;      // terms that decide branches together with locks; at most 64
} lock_summary;

// A state in which a thread of some kind may enter a procedure.
typedef struct context_data {
  uint32_t kind;
  ir_proc proc;
  uint32_t binding;            // parameters that hold fixed addresses
  uint32_t state;              // effect: what is held, by the procedure's names
  uint32_t from, node, call;   // context, node (IR_NONE: neutral), edge of the call; IR_NONE: thread start
} context_data;
typedef struct context_list { VEC (uint32_t) items; } context_list;

// A variable by which a thread announces that it has passed some point: see progress_flag.c.
typedef struct progress_flag {
  term_address at;
  uint32_t object, offset, bytes;
  uint32_t writer;             // kind of the only thread that changes it; IR_NONE: there are several
  uint32_t fact;               // lock_use that stands for "it was changed"
  bool *after_write;           // [location]: the writer may be there after it has changed the flag
} progress_flag;

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
  lock_summary *summaries;     // [procedure]
  VEC (summary_node) nodes;
  VEC (uint32_t) *at;          // [location]: its nodes
  uint64_t *live;              // [location]: which tracked terms of its procedure may still be tested
  VEC (uint32_t) worklist;
  map substituted;             // call edge << 32 | effect -> effect in the caller's names
  VEC (context_data) contexts;
  intern bindings;
  map bound;                   // binding, procedure and effect -> effect with parameters replaced
  VEC (context_list) lists;
  map context_lists;           // kind << 32 | procedure -> index into lists
  map cas_locks;               // object << 32 | offset -> bytes
  map semaphores;              // object << 32 | offset of one that is initialised to 1 -> never to anything else?
  VEC (progress_flag) flags;
  map flag_branches;           // ASSUME edge -> flag that was certainly changed if the edge is taken
  map lock_objects, lock_places;  // what operations on locks may point to: object; object << 32 | offset
  map initialised_objects;     // what initialisations of locks may point to
  map undisciplined;           // object << 32 | offset: a lock there is not only released by its holder
  map undisciplined_objects, partly_undisciplined;  // object: all its locks; some lock in it
  bool all_undisciplined;
  uint32_t empty;              // the effect that does nothing
  bool overflowed;             // some effect has overflowed
  bool histories_dropped;      // some effect lost its acquisition histories, because there were too many
  bool well_nested;            // every released lock was the last one acquired, as far as the locks are known
  bool nesting_unknown;        // some locks are not known
  // Not well nested: edge of a release, its lock_use, and that of one acquired later and still held.  Else IR_NONE.
  uint32_t unnested_release, unnested_use, later_use;
} lock_analysis;

void lock_analysis_init (lock_analysis *, const ir_program *, const budget *);
void lock_analysis_release (lock_analysis *);

// ---- edge_effect.c --------------------------------------------------------------------------------------------------
// The effects of a path with one more edge.  The result says how many ways there are to go on behind the edge.
enum { EDGE_OUTCOMES = 2 };
uint32_t edge_effects (lock_analysis *, ir_edge, const effect *before, effect after[EDGE_OUTCOMES]);
bool edge_touches_locks (lock_analysis *, ir_edge);
typedef struct lock_condition { value_term term; bool negated; } lock_condition;
// A condition and its negation have the same term.
lock_condition normal_condition (lock_analysis *, value_term);
bool evaluate_tracked (lock_analysis *, const effect *, value_term, ir_value *);
// Does the edge release the lock that its argument *arg names?  Leaves out atomic regions and `once`.
bool edge_releases (lock_analysis *, ir_edge, unsigned *arg);
lock_use edge_lock (lock_analysis *, ir_edge, unsigned arg, bool reads);  // the lock that an argument names

// ---- lock_summary.c -------------------------------------------------------------------------------------------------
void for_each_callee (const lock_analysis *, ir_edge call, void (*f) (void *state, ir_proc), void *state);
// An effect at the end of a procedure, first as callers may name its locks, then in the names of one caller.
uint32_t summary_export (lock_analysis *, ir_edge ret, const effect *);
uint32_t summary_substitute (lock_analysis *, ir_edge call, ir_proc callee, uint32_t exported);
// Extends the effect of a path to the call by one of the callee's.  False: a thread cannot return from the call this
// way.
bool summary_apply (lock_analysis *, ir_edge call, ir_proc callee, uint32_t exported, effect *);
// May the call leave all locks alone?  If so, the effect becomes that of the path behind the call.
bool summary_may_skip (lock_analysis *, ir_edge call, effect *);

// ---- call_context.c -------------------------------------------------------------------------------------------------
lock_use context_lock (lock_analysis *, uint32_t context, lock_use);  // with the context's parameters replaced
// Calls the visitor with each state in which a thread of the kind may be at the location.
typedef void state_visitor (void *user, uint32_t context, uint32_t node /* IR_NONE: neutral procedure */, effect *);
void for_each_state (lock_analysis *, uint32_t kind, ir_loc, state_visitor *, void *user);

// ---- tracked_values.c -----------------------------------------------------------------------------------------------
void drop_dead_values (const lock_analysis *, ir_loc, effect *);      // tracked values that no later branch tests

// ---- discipline.c ---------------------------------------------------------------------------------------------------
// The locking discipline: a lock protects data only if no thread releases it while another thread holds it, initialises
// it while it is in use, or writes over it.
bool lock_is_disciplined (const lock_analysis *, uint32_t lock);
bool store_may_forge_lock (const lock_analysis *, ir_edge);  // an ordinary write that may make a lock held or destroyed
bool object_is_unshared (const lock_analysis *, ir_edge);    // no other thread can reach the first argument's target

// ---- nesting.c ------------------------------------------------------------------------------------------------------
// Whether each thread releases its locks in the reverse order of acquiring them: only then is LOCK theorem 5 exact.
const char *nesting_note (lock_analysis *, arena *);         // how exact the answer is; NULL: there are no locks

// ---- progress_flag.c ------------------------------------------------------------------------------------------------
// A thread of the kind cannot be at the location any more once another thread has observed these facts.
bool flags_exclude (lock_analysis *, uint32_t kind, ir_loc, uint32_t facts);

// ---- cas_lock.c -----------------------------------------------------------------------------------------------------
// An atomic variable used as a lock: 0 is free; compare-and-swap from 0 acquires it, and so does an exchange whose old
// value was 0; a store of 0 releases it.
typedef enum cas_op {
  CAS_NONE,                    // not an operation on such a variable
  CAS_ACQUIRE,                 // compare-and-swap 0 -> something else
  CAS_ACQUIRE_BY_EXCHANGE,     // exchange for something else than 0
  CAS_RELEASE_BY_STORE,        // store of 0
  CAS_RELEASE,                 // compare-and-swap something else -> 0
  CAS_KEEP                     // compare-and-swap between values other than 0
} cas_op;

cas_op cas_op_of (lock_analysis *, ir_edge);

// ---- semaphore_lock.c -----------------------------------------------------------------------------------------------
// A semaphore used as a mutex: every initialisation sets it to 1; a wait acquires it, a post releases it.
bool semaphore_touched (lock_analysis *, ir_edge);           // an operation on what may be such a semaphore

#endif
