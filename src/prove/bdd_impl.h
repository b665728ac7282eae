// Proofs by binary decision diagrams.  In reading order: bdd.c (the search), bdd_order.c (variables), bdd_build.c (functions), bdd_image.c (one step of all states),
// bdd_path.c, bdd_certificate.c; bdd_fair.c with bdd_lasso.c (what happens again and again: live.h); bdd_library.c keeps BuDDy's errors and limits away from all of them.  Names start with dd_, since bdd_ is BuDDy's.
//
// BuDDy frees what nobody holds: a result is held (dd_set, dd_push) before the next operation.  At the end everything is given back at once.
#ifndef LOCKSTEP_BDD_IMPL_H
#define LOCKSTEP_BDD_IMPL_H

#include <bdd.h>

#include "base/map.h"
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
typedef struct dd_steps {              // the relation of a step, in the order in which it is gone through
  VEC (dd_part) parts;
  BDD first;                           // variables that no part has
} dd_steps;

typedef VEC (int) dd_variables;
typedef struct dd_schedule {           // while the order of the parts is found
  VEC (dd_variables) support;          // by part
  VEC (uint32_t) holders;              // by variable: parts that have it, and are not placed yet
  VEC (uint8_t) stays;                 // by variable: it is not quantified
} dd_schedule;

typedef struct dd_search {
  const netlist *n;
  const prove_options *o;
  VEC (aig_lit) goals;         // what is asked about: the bad state, or what has to hold again and again
  prove_result *r;
  dd_order order;
  dd_list nodes;               // functions by node of the graph, while they are built
  VEC (uint32_t) uses;         // by node: how often the function is still needed
  dd_list nexts;               // functions by leaf: of a latch its next value, of an input nothing
  dd_list constraints;
  dd_list goals_now;           // with the constraints, over latches and inputs
  BDD bad_states;              // the first of them without the inputs
  dd_list relations;           // whose conjunction is that of a step
  dd_steps forward, pairs;
  dd_schedule schedule;
  BDD now, next;               // variables of the present state and of the next one
  bddPair *to_now, *to_next;   // next values become present ones, and the other way round
  VEC (int8_t) assignment;     // by variable, while a path is found
  dd_list rings;               // states first reached at step 0, 1, ...
  BDD reached;
} dd_search;

// The search is { n, o, goals, r }, the rest 0.
void dd_start (dd_search *);                                       // with BuDDy running: all up to the steps forward, and the reset states as first ring
bool dd_add_ring (dd_search *);                                    // the states after the last ring that are new; false: there are none
void dd_note_size (dd_search *);                                   // of the diagrams, in the result, and tells of the last ring
void dd_search_by (dd_search *, void (*search) (void *), void *state);   // calls it with BuDDy running, notes why it was left, and releases all

void dd_find_order (dd_search *, bool all_latches);                // else those that the goals depend on
void dd_order_release (dd_order *);
void dd_build (dd_search *);                                       // nexts, constraints, goals_now
void dd_make_parts (dd_search *);
void dd_schedule_release (dd_schedule *);
BDD dd_image (const dd_search *, BDD states);                      // not held
void dd_make_pairs (dd_search *);                                  // now, next, to_next, and the order for dd_pairs
BDD dd_pairs (const dd_search *, BDD steps);                       // held: these steps, given by states and inputs, as pairs of states

// ---- paths: one assignment after the other, in `assignment` ------------------------------------------------------------------------
void dd_choose (dd_search *, BDD);                                 // one that satisfies it
BDD dd_chosen_state (const dd_search *, bool as_next);             // held
BDD dd_steps_with (const dd_search *, BDD steps, BDD chosen);      // held: those of the steps at whose ends there are the chosen states
void dd_keep_inputs (dd_search *, uint32_t step);                  // of the assignment, in the path
void dd_keep_start (dd_search *);                                  // the same for the state at its start
void dd_find_path (dd_search *);                                   // to the goal in the last ring, into the result

aig_lit dd_translate (const dd_search *, BDD, aig *, map *done);   // over latches, which are the first inputs of the graph
void dd_start_graph (const dd_search *, aig *);                    // with an input for each latch
void dd_make_certificate (const dd_search *, prove_certificate *); // what was reached

// ---- again and again: steps are pairs of states here -----------------------------------------------------------------------------
typedef enum dd_direction { DD_FORWARD, DD_BACKWARD } dd_direction;
typedef struct dd_block { BDD states; uint32_t condition; } dd_block;   // live.h: condition
typedef struct dd_fair {
  dd_search s;                 // the goals are conditions
  VEC (uint32_t) numbers;      // by goal: which condition it is
  BDD steps;                   // from states that can be reached
  dd_list goal_steps;          // by goal: on which it holds
  BDD hull;                    // states that may lie on a cycle on which all conditions hold
  VEC (dd_block) low, high;    // taken from it, in this order: no way leads from low ones into the rest, and none from the rest into high ones
  // While a lasso is found:
  BDD component, now;          // where the loop lies; the state it has come to
  VEC (uint32_t) unseen;       // goals that have not held on it so far
  dd_list distance;            // states so many steps from where it goes next
} dd_fair;

// Held.
BDD dd_into (const dd_fair *, BDD states);                                              // as next states
BDD dd_ends (const dd_fair *, dd_direction, BDD steps, BDD states);                     // where steps from these states end (forward), or steps into them begin
BDD dd_closure (const dd_fair *, dd_direction, BDD from, BDD inside);                   // all that is reached, inside
void dd_find_lasso (dd_fair *);                                                         // there is one in the hull

#endif
