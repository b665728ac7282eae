// The reduced search: from a state to its successors, without exploring every interleaving.
#ifndef LOCKSTEP_EXPLICIT_REDUCE_H
#define LOCKSTEP_EXPLICIT_REDUCE_H

#include "engine/explicit/explicit_search.h"
#include "engine/explicit/explicit_stubborn.h"

typedef struct explicit_reduction_counts {
  // stubborn sets chosen, their total size, and the number of enabled threads
  uint64_t sets, set_threads, enabled_threads;
  uint64_t pruned_unsafe;      // states pruned although an unchecked memory error may follow
  uint64_t symmetric;          // threads left out because a symmetric one is explored
  uint64_t transactions, steps;  // transactions (uninterrupted runs of one thread) and their steps
} explicit_reduction_counts;

// An access of a transaction, in order; step number and edge say where a race with it would be.
typedef struct transaction_access { step_access access; uint32_t step, edge; } transaction_access;
typedef struct transaction_trace { VEC (transaction_access) accesses; } transaction_trace;

typedef struct transactions transactions;

// A point where a big step continues with several threads in turn: index of the choice, number of steps before it, the
// threads.
typedef struct branch_point { uint32_t choice, steps; thread_choice threads; } branch_point;
typedef struct branching {
  bool open;                   // the big step has branched; the state where it did first is the root
  uint32_t first_choice;       // index of the choice made at the root
  uint32_t ways;               // alternatives taken from the root
  VEC (uint32_t) ids, log;     // ids of the root, and log of the big step up to the root
  uint64_t hash;
  VEC (branch_point) points;
} branching;

struct state_reducer {
  transactions *transactions;  // the search of TXN; NULL: stubborn sets
  thread_futures *futures;
  bool prune;                  // states from which no goal can be reached are not expanded
  bool single_steps;           // in this state single steps are taken instead of transactions
  bool right_movers;           // transactions may begin with right movers: not if deadlocks are checked
  state_snapshot view, after;  // snapshots of the state being expanded, and of the states passed after it
  transaction_trace traces[IR_MAX_THREADS];  // by index in `view`
  next_footprint scratch;
  VEC (uint32_t) log;          // log of the big step being taken
  VEC (uint32_t) outcome_ids;  // states to which the choices of one transaction have led: length and ids of each
  branching branching;
  explicit_reduction_counts counts;
};

typedef struct reducer_options { bool use_locks, use_joins, right_movers, prune; } reducer_options;
state_reducer *reducer_new (state_search *, reducer_options);
state_reducer *reducer_new_transactions (state_search *, bool right_movers);
void reducer_free (state_reducer *);
bool reducer_misses_deadlocks (const state_reducer *);
void reduce_expand (state_search *, state_id);
// Takes the first big steps from the initial state, and adds the states they lead to.
void reduce_begin (state_search *);

// mover.c: transactions that begin with right movers
// fills in the accesses of each transaction, then chooses the smallest set
void mover_choose (state_search *, state_id, thread_choice *);
step_result mover_run (state_search *, uint32_t index);                    // executes one transaction of that thread
void mover_examine_races (state_search *, state_id, const thread_choice *);

void probe_run (state_search *);  // probe.c: random executions before the search

// symmetry.c: keeps one thread of each group of symmetric ones
void symmetry_drop (state_search *, state_snapshot *, thread_choice *);

// prune.c
bool prune_worth_expanding (state_search *, state_snapshot *);

// branch.c. Begins a big step, with the choices as they are now; returns false if the root has too many branches and
// must be stored.
bool branch_begin (state_search *);
void branch_give_up (state_search *);                    // the root has been stored: its other choices are not needed
// Returns the thread with which a big step continues where interleavings branch; IR_NONE: the big step ends there.
// `steps`: number of steps taken so far.
// at a point where it branched before, with other later choices
uint32_t branch_again (state_search *, uint32_t steps);
uint32_t branch_first_time (state_search *, uint32_t steps);

// Executes one more step of the big step and logs it.
step_result reduce_step (state_search *, uint32_t slot);

#endif
