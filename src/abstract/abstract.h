// Predicate abstraction of a machine with threads: a Boolean program that can do everything that the machine can (paper
// BOOL, section 2; Ball and others 2001), and what can be learnt from a path of it that the machine cannot execute.
//
//   abstraction a;
//   abstraction_init (&a, &steps, asked, options);
//   abstraction_seed (&a);
//   for (;;) {
//     bp_program *b = abstraction_program (&a);
//     ... a path to a failing assertion of b, as abstract_path; if there is none: proved
//     path_check c;
//     if (path_decide (&c, &a, &path) == PATH_IS_REAL) ...
//     else if (!refine_predicates (&a, &path)) ...       // no new predicates: give up
//   }
//
// In reading order: predicates.h, project.h, edge.c (one step), abstract_program.c (all steps), abstract_path.c,
// constrain.c, refine.c.
#ifndef LOCKSTEP_ABSTRACT_H
#define LOCKSTEP_ABSTRACT_H

#include "abstract/predicates.h"
#include "abstract/project.h"
#include "base/intern.h"
#include "boolean/bp_program.h"
#include "efsm/fold.h"

// Cartesian: the values of each predicate after a step are computed separately. Exact: all predicates that the step
// changes are considered jointly.
typedef enum abstraction_kind { ABSTRACT_CARTESIAN, ABSTRACT_EXACT } abstraction_kind;

typedef struct abstraction_options {
  const budget *budget;
  abstraction_kind kind;
  unsigned effort;             // 0, 1, ...: each effort allows twice as many queries as the one before
} abstraction_options;

// A violation that a large step may cause: one of its goals or losses.
typedef struct abstract_goal { uint32_t step, number; bool is_loss; } abstract_goal;

// ---- one step: edge.c ----
// A literal is 4 * predicate + 2 * (after the step) + sign.
typedef struct abstract_edge {
  bool is_possible;
  clauses guard;               // about the predicates before the step
  number_list changed;         // predicates
  VEC (clauses) values;        // by `changed`: about its value after the step, and other predicates before
  VEC (bool) is_open;          // by `changed`: for some valuation both values are possible
  clauses together;            // about several predicates after the step
} abstract_edge;
void edge_release (abstract_edge *);

// ---- the program: abstract_program.c ----
typedef enum meaning_kind { MEANS_NOTHING, MEANS_EXIT, MEANS_GOAL } meaning_kind;
typedef struct statement_meaning {
  meaning_kind kind;
  uint32_t step, number;       // number of the exit, or of the goal
} statement_meaning;

typedef struct abstraction {
  const folded *steps;
  efsm *m;
  abstraction_options options;
  predicates predicates;
  VEC (abstract_goal) targets;        // those that are requested
  VEC (statement_meaning) meanings;      // by location of the last program
  intern keys;                 // steps, and the predicates that count for them
  VEC (clauses) known;         // by key: clauses that were found before
  VEC (clauses) learnt;        // by constrain.c
  map learnt_of;               // edge_key or target_key -> index in `learnt`
  uint64_t questions, incomplete;  // to the solver; projections that are incomplete
} abstraction;

void abstraction_init (abstraction *, const folded *, abstraction_options);
void abstraction_release (abstraction *);
void abstraction_ask (abstraction *, const abstract_goal *, uint32_t count);
// Adds the predicates of the requested goals, and of the threads that are started.
void abstraction_seed (abstraction *);
// The process has not ended, and the goal is violated. Conditions of moves need not contain the former: once the
// process has ended, it stays so.
term abstract_goal_condition (abstraction *, const abstract_goal *);
// Includes atomic regions. The caller frees it. NULL: the budget is spent.
bp_program *abstraction_program (abstraction *);
// Computes the predicates after the updates as terms over the variables before.
void edge_predicates_after (abstraction *, const efsm_update *, uint32_t count, term_list *out);
void edge_abstract (abstraction *, uint32_t step, uint32_t exit, abstract_edge *);
void edge_abstract_start (abstraction *, abstract_edge *);
void edge_abstract_goal (abstraction *, const abstract_goal *, clauses *guard /* literals as of an edge */);

// ---- paths: abstract_path.c, refine.c ----
typedef struct abstract_move { uint32_t step, exit; } abstract_move;
term move_condition (const abstraction *, abstract_move);
typedef struct abstract_path {
  VEC (abstract_move) moves;
  abstract_goal end;                  // is violated in the next step
  VEC (bool) valuations;       // values of the predicates: before and after each move, and at the end
} abstract_path;

typedef enum path_answer { PATH_IS_REAL, PATH_IS_NOT, PATH_STOPPED } path_answer;
typedef struct path_check {
  abstraction *a;
  decider *decider;
  VEC (term) value;            // by variable, after the moves so far
  VEC (term) start;            // initial value by variable
  VEC (map) inputs;            // by move: input -> the term for it
  term_list conditions;        // by move, and at the end
  uint32_t length;             // the first `length` conditions contradict each other; for a path that is not real
} path_check;
path_answer path_decide (path_check *, abstraction *, const abstract_path *);
void path_check_release (path_check *);
ir_value path_start_value (path_check *, uint32_t variable);            // of a real path
ir_value path_input_value (path_check *, uint32_t move, term input);
// No operation on floats was replaced by an arbitrary value.
bool path_is_exact (const path_check *);

// ---- steps that are too coarse: constrain.c ----
static inline uint64_t edge_key (uint32_t step, uint32_t exit) { return (uint64_t) step << 32 | exit; }
static inline uint64_t goal_key (const abstract_goal *t) {
  return 1ull << 63 | (uint64_t) t->is_loss << 62 | (uint64_t) t->step << 31 | t->number;
}
// Learns clauses from the first `length` conditions; returns their number.
uint32_t constrain_steps (abstraction *, const abstract_path *, uint32_t length);
const clauses *learnt_clauses (const abstraction *, uint64_t key);        // NULL: none

// Adds predicates, by weakest preconditions along the first `length` conditions of the path; returns their number.
uint32_t refine_predicates (abstraction *, const abstract_path *, uint32_t length);

#endif
