// The reduced search: from a state to its successors when not every interleaving is taken.
#ifndef LOCKSTEP_EXPLICIT_REDUCE_H
#define LOCKSTEP_EXPLICIT_REDUCE_H

#include "engine/explicit/search.h"
#include "engine/explicit/stubborn.h"

typedef struct reduction_counts {
  uint64_t sets, set_threads, enabled_threads;  // stubborn sets chosen, their sizes, and how many threads could have been taken
  uint64_t pruned_unsafe;                       // states left out although a memory error, which nobody asks for, may follow
  uint64_t symmetric;                           // threads left out because another one is just like them
  uint64_t transactions, steps;                 // runs of one thread that nobody interrupts; their steps
} reduction_counts;

// What a transaction touches, in order: step number and edge say where a race with it would be.
typedef struct transaction_touch { touch touch; uint32_t step, edge; } transaction_touch;
typedef struct transaction_trace { VEC (transaction_touch) touches; } transaction_trace;

typedef struct transactions transactions;

// Where a big step goes on with several threads in turn: the choice's place among the choices, steps taken before it, the threads.
typedef struct branch_point { uint32_t choice, steps; thread_choice threads; } branch_point;
typedef struct branching {
  bool open;                   // the big step passes states that it would store otherwise; the first of them is the root:
  uint32_t first_choice;       // the choice made there
  uint32_t ways;               // taken from there
  VEC (uint32_t) ids, log;     // of the root, and of the big step as far as there
  uint64_t hash;
  VEC (branch_point) points;
} branching;

struct reducer {
  transactions *transactions;  // TXN's search; NULL: stubborn sets
  futures *futures;
  bool prune;                  // states out of reach of all goals are not expanded
  bool single_steps;           // in this state no transactions are needed
  bool right_movers;           // transactions may begin with right movers: not for deadlocks
  state_view view, after;      // of the state being expanded, and of those passed on the way from it
  transaction_trace traces[IR_MAX_THREADS];  // by index in view
  touch_set scratch;
  VEC (uint32_t) log;          // of the big step being taken
  VEC (uint32_t) outcome_ids;  // states the choices of one transaction have led to: length and ids of each
  branching branching;
  reduction_counts counts;
};

typedef struct reducer_options { bool use_locks, use_joins, right_movers, prune; } reducer_options;
reducer *reducer_new (search *, reducer_options);
reducer *reducer_new_transactions (search *, bool right_movers);
void reducer_free (reducer *);
bool reducer_misses_deadlocks (const reducer *);
void reduce_expand (search *, state_id);
// From the start, whoever can goes on alone; adds the first states to be stored.
void reduce_begin (search *);

// mover.c: transactions that begin with right movers
void mover_choose (search *, state_id, thread_choice *);             // fills in what each transaction touches, then the smallest set
step_result mover_run (search *, uint32_t index);                    // one transaction of that thread
void mover_examine_races (search *, state_id, const thread_choice *);

void probe_run (search *);  // probe.c: some executions before the search

// symmetry.c: of threads that are alike only one stays chosen
void symmetry_drop (search *, state_view *, thread_choice *);

// prune.c
bool prune_worth_expanding (search *, state_view *);

// branch.c.  A big step begins, with the choices as they are now; false: too many ways, the root must be stored.
bool branch_begin (search *);
void branch_give_up (search *);                    // the root has been stored: what else could be chosen behind it does not matter
// Which thread a big step goes on with where interleavings part; IR_NONE: it ends there.  `steps`: taken so far.
uint32_t branch_again (search *, uint32_t steps);  // where it went on before, with other choices later
uint32_t branch_here (search *, uint32_t steps);

// One step more of the big step: executes and logs.
step_result reduce_step (search *, uint32_t slot);

#endif
