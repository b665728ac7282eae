// Reductions `left-movers` and `transactions`: the search of TXN section 4, with the lock inference of section 6.
#ifndef LOCKSTEP_EXPLICIT_TRANSACTION_H
#define LOCKSTEP_EXPLICIT_TRANSACTION_H

#include "engine/explicit/protect.h"
#include "engine/explicit/reduce.h"

typedef enum phase { PRE_COMMIT, POST_COMMIT } phase;   // R and L of the paper; N is not being in a transaction

struct transactions {
  bool right_movers;             // false: left movers only, as Stoller and Cohen
  bool must_end;                 // post-commit parts must end (condition C); false only to show what is missed without it
  protect protect;
  variable_list relied;          // on whose protection the transaction being explored depends
  touch_set now;
  VEC (struct transaction_node) nodes;
  VEC (uint32_t) ids;            // tuples of the nodes
  VEC (schedule_part) parts;     // what the actions between them did
  VEC (ir_value) chosen;
  VEC (uint32_t) stack;          // Tarjan's
  map by_hash;                   // hash of a state -> node + 1
  uint32_t next_number;
  map begins;                    // edge -> transactions begun there
  uint64_t count, steps, reopened;
  void (*watch) (void *state, uint32_t slot, uint32_t edge, phase);  // after each action, or NULL
  void *watch_state;
};

transactions *transactions_new (bool right_movers);
void transactions_free (transactions *);
void transactions_expand (search *, state_id);

#endif
