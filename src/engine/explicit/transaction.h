// Reductions `left-movers` and `transactions`: the search of TXN section 4, with the lock inference of section 6.
#ifndef LOCKSTEP_EXPLICIT_TRANSACTION_H
#define LOCKSTEP_EXPLICIT_TRANSACTION_H

#include "engine/explicit/explicit_reduce.h"
#include "engine/explicit/protect.h"

typedef enum phase { PRE_COMMIT, POST_COMMIT } phase;   // R and L of the paper; N means outside of transactions

struct transactions {
  bool right_movers;           // false: left movers only, as Stoller and Cohen
  bool must_end;  // post-commit parts must end (condition C); false only in a test that shows what is missed without it
  protect protect;
  variable_list relied;        // variables on whose protection the transaction being explored relies
  next_footprint now;
  VEC (struct transaction_node) nodes;
  VEC (uint32_t) ids;          // component ids of the nodes
  VEC (schedule_part) parts;   // schedules of the actions between the nodes
  VEC (ir_value) chosen;
  VEC (uint32_t) stack;        // stack of Tarjan's algorithm
  map by_hash;                 // hash of a state -> node + 1
  uint32_t next_number;
  map begins;                  // edge -> number of transactions begun there
  uint64_t count, steps, reopened;
  void (*on_action) (void *state, uint32_t slot, uint32_t edge, phase);  // called after each action, or NULL
  void *action_state;
};

transactions *transactions_new (bool right_movers);
void transactions_free (transactions *);
void transactions_expand (state_search *, state_id);

#endif
