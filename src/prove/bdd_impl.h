// Proofs by binary decision diagrams.  In reading order: bdd.c (the search), bdd_order.c (variables), bdd_build.c (functions), bdd_image.c (one step of all states),
// bdd_path.c, bdd_certificate.c; bdd_library.c keeps BuDDy's errors and limits away from all of them.  Names start with dd_, since bdd_ is BuDDy's.
//
// BuDDy frees what nobody holds: a result is held (dd_set, dd_push) before the next operation.  At the end everything is given back at once.
#ifndef LOCKSTEP_BDD_IMPL_H
#define LOCKSTEP_BDD_IMPL_H

#include <bdd.h>

#include "prove/prove_impl.h"

typedef VEC (BDD) dd_list;

// ---- the library -----------------------------------------------------------------------------------------------------------------
// Calls work (state) with BuDDy running, for about so many variables.  NULL, or why it was left in the middle: the budget, too many nodes, or BuDDy is in use already.
const char *dd_run (const budget *, int variables, void (*work) (void *), void *state);
void dd_stop_if_spent (void);          // leaves the work if the budget is spent
void dd_set (BDD *place, BDD);         // holds the new one, drops the old one
void dd_push (dd_list *, BDD);         // holds it

// ---- the search ------------------------------------------------------------------------------------------------------------------
typedef struct dd_order {
  VEC (uint32_t) leaves;       // that matter: 2 * number, + 1 for a latch; in the order of their variables
  VEC (int) latch, input;      // by number: its variable, -1: it does not matter.  The next value of a latch is the variable after it
  int count;                   // of variables
} dd_order;

typedef struct dd_part { BDD relation, last; } dd_part;   // last: the variables that no later part has

typedef VEC (int) dd_variables;
typedef struct dd_schedule {           // while the order of the parts is found
  VEC (dd_variables) support;          // by part
  VEC (uint32_t) holders;              // by variable: parts that have it, and are not placed yet
  VEC (uint8_t) is_next;               // by variable
} dd_schedule;

typedef struct dd_search {
  const netlist *n;
  const prove_options *o;
  uint32_t bad;
  prove_result *r;
  dd_order order;
  dd_list nodes;               // functions by node of the graph, while they are built
  VEC (uint32_t) uses;         // by node: how often the function is still needed
  dd_list nexts;               // functions by leaf: of a latch its next value, of an input nothing
  dd_list constraints;
  BDD bad_now;                 // with the constraints, over latches and inputs
  BDD bad_states;              // the same without the inputs
  VEC (dd_part) parts;         // of the relation of a step
  dd_schedule schedule;
  BDD first;                   // variables that no part has
  bddPair *to_now;             // next values become present ones
  VEC (int8_t) assignment;     // by variable, while a path is found
  dd_list rings;               // states first reached at step 0, 1, ...
  BDD reached;
} dd_search;

void dd_find_order (dd_order *, const netlist *, uint32_t bad);
void dd_order_release (dd_order *);
void dd_build (dd_search *);                                       // nexts, constraints, bad_now
void dd_make_parts (dd_search *);
void dd_schedule_release (dd_schedule *);
BDD dd_image (const dd_search *, BDD states);                      // not held
void dd_find_path (dd_search *);                                    // to the bad state in the last ring, into the result
void dd_make_certificate (const dd_search *, prove_certificate *); // what was reached

#endif
