// Proofs by binary decision diagrams. In reading order: bdd.c (the search), bdd_order.c (variables), bdd_build.c
// (functions), bdd_image.c (one step of all states), bdd_path.c, bdd_certificate.c; bdd_fair.c with bdd_lasso.c
// (justice properties: prove_live.h); bdd_library.c handles BuDDy's errors and limits for all of them. Names start with
// dd_, since bdd_ is BuDDy's prefix.
//
// BuDDy frees every diagram without a reference: a reference to a result is taken (dd_set, dd_push) before the next
// operation. "held" below means that the caller owns a reference. At the end everything is freed at once.
#ifndef LOCKSTEP_BDD_IMPL_H
#define LOCKSTEP_BDD_IMPL_H

#include <bdd.h>

#include "base/map.h"
#include "prove/prove_impl.h"

typedef VEC (BDD) dd_list;

// ---- the library ------------------------------------------------------------------------------------
// Calls work (state) with BuDDy initialised for about this many variables. Returns NULL, or why the work was left in
// the middle: the budget, too many nodes, or BuDDy is in use already.
const char *dd_run (const budget *, int variables, void (*work) (void *), void *state);
void dd_stop_if_spent (void);          // leaves the work by a jump if the budget is spent
void dd_set (BDD *place, BDD);         // takes a reference to the new value, releases the old one
void dd_push (dd_list *, BDD);         // takes a reference

// ---- the search -------------------------------------------------------------------------------------
typedef struct dd_order {
  VEC (uint32_t) leaves;       // those that matter: 2 * number, + 1 for a latch; in the order of their variables
  // by number: the variable, -1: it does not matter. The next value of a latch is the variable after it
  VEC (int) latch, input;
  int count;                   // number of variables
} dd_order;

typedef struct dd_part { BDD relation, last; } dd_part;   // last: the variables that no later part has
typedef struct dd_steps {              // the relation of a step, in the order in which images go through the parts
  VEC (dd_part) parts;
  BDD first;                           // variables that no part has
} dd_steps;

typedef VEC (int) dd_variables;
typedef struct dd_schedule {           // state while the order of the parts is computed
  VEC (dd_variables) support;          // by part
  VEC (uint32_t) holders;              // by variable: number of parts that have it and are not placed yet
  VEC (uint8_t) stays;                 // by variable: it is not quantified
} dd_schedule;

typedef struct dd_search {
  const netlist *n;
  const prove_options *o;
  VEC (aig_lit) goals;         // the bad state, or the conditions of a justice property
  prove_result *r;
  dd_order order;
  dd_list nodes;               // functions by node of the graph, while they are built
  VEC (uint32_t) uses;         // by node: number of remaining uses of its function
  dd_list nexts;               // functions by leaf: of a latch its next value, of an input nothing
  dd_list constraints;
  dd_list goals_now;           // goals and constraints, over latches and inputs
  BDD bad_states;              // the first goal with the inputs quantified
  dd_list relations;           // parts whose conjunction is the relation of a step
  dd_steps forward, pairs;
  dd_schedule schedule;
  BDD now, next;               // cubes of the variables of the present state and of the next one
  bddPair *to_now, *to_next;   // renaming of next values to present ones, and back
  VEC (int8_t) assignment;     // by variable, while a path is built
  dd_list frontiers;           // states first reached at step 0, 1, ...
  BDD reached;
} dd_search;

// The caller sets { n, o, goals, r }; all other fields are 0.
// with BuDDy running: everything that forward steps need, and the reset states as first frontier
void dd_start (dd_search *);
// Adds the new states after the last frontier; false: there are none.
bool dd_add_frontier (dd_search *);
// Records the size of the diagrams in the result, and reports the last frontier as progress.
void dd_note_size (dd_search *);
// calls `search` with BuDDy running, records why it was left, and releases everything
void dd_search_by (dd_search *, void (*search) (void *), void *state);

// All latches, or only those on which the goals depend.
void dd_find_order (dd_search *, bool all_latches);
void dd_order_release (dd_order *);
void dd_build (dd_search *);                                       // computes nexts, constraints, goals_now
void dd_make_parts (dd_search *);
void dd_schedule_release (dd_schedule *);
BDD dd_image (const dd_search *, BDD states);                      // not held
// Computes now, next, to_next, and the order for dd_pairs.
void dd_make_pairs (dd_search *);
// held: these steps, given by states and inputs, as pairs of states
BDD dd_pairs (const dd_search *, BDD steps);

// ---- paths: one assignment after the other, in `assignment` -----------------------------------------
void dd_choose (dd_search *, BDD);                                 // chooses one assignment that satisfies it
BDD dd_chosen_state (const dd_search *, bool as_next);             // held
// held: the steps at whose ends there are the chosen states
BDD dd_steps_with (const dd_search *, BDD steps, BDD chosen);
void dd_keep_inputs (dd_search *, uint32_t step);                  // stores the inputs of the assignment in the path
void dd_keep_start (dd_search *);                                  // stores the state at the start of the path
// Stores a path to the goal in the last frontier in the result.
void dd_find_path (dd_search *);

// Over latches, which are the first inputs of the graph.
aig_lit dd_translate (const dd_search *, BDD, aig *, map *done);
void dd_start_graph (const dd_search *, aig *);                    // makes a graph with an input for each latch
void dd_make_certificate (const dd_search *, prove_certificate *); // stores the set of reached states

// ---- justice: steps are pairs of states here ------------------------------------------------
typedef enum dd_direction { DD_FORWARD, DD_BACKWARD } dd_direction;
typedef struct dd_block { BDD states; uint32_t condition; } dd_block;   // prove_live.h: condition
typedef struct dd_fair {
  dd_search s;                 // the goals are conditions
  VEC (uint32_t) numbers;      // by goal: the number of its condition
  BDD steps;                   // steps from reachable states
  dd_list goal_steps;          // by goal: the steps on which it is true
  BDD hull;                    // states that may lie on a cycle on which all conditions are true
  // states removed from the hull, in this order: no path leads from low ones into the rest, and none from the rest into
  // high ones
  VEC (dd_block) low, high;
  // While a lasso is built:
  BDD component, now;          // the component in which the loop lies; its current state
  VEC (uint32_t) unseen;       // goals that were not true on the loop so far
  dd_list distance;            // states at distance 0, 1, ... from the next target
} dd_fair;

// The caller owns a reference to each result.
BDD dd_into (const dd_fair *, BDD states);                                              // the steps into these states
// forward: the states in which steps from these states end; backward: those in which steps into them begin
BDD dd_ends (const dd_fair *, dd_direction, BDD steps, BDD states);
BDD dd_closure (const dd_fair *, dd_direction, BDD from, BDD inside);                   // all that is reachable, inside
void dd_find_lasso (dd_fair *);                                                         // the hull must contain one

#endif
