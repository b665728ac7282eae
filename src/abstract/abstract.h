// Predicate abstraction of a machine with threads: a Boolean program that can do all that the machine can (paper BOOL, section 2; Ball and others 2001), and what is to be learnt from a path
// of it that the machine cannot follow.
//
//   abstraction a;
//   abstraction_init (&a, &steps, asked, options);
//   abstraction_seed (&a);
//   for (;;) {
//     bp_program *b = abstraction_program (&a);
//     ... a path to a failing assertion of b, as abstract_path; if there is none: proved
//     path_check c;
//     if (path_decide (&c, &a, &path) == PATH_IS_REAL) ...
//     else if (!refine (&a, &path)) ...       // nothing new: give up
//   }
//
// In reading order: predicates.h, project.h, edge.c (one step), program.c (all of them), path.c, constrain.c, refine.c.
#ifndef LOCKSTEP_ABSTRACT_H
#define LOCKSTEP_ABSTRACT_H

#include "abstract/predicates.h"
#include "abstract/project.h"
#include "base/intern.h"
#include "boolean/program.h"
#include "efsm/fold.h"

// Cartesian: after a step each predicate is looked at alone.  Exact: all that the step changes together.
typedef enum abstraction_kind { ABSTRACT_CARTESIAN, ABSTRACT_EXACT } abstraction_kind;

typedef struct abstraction_options {
  const budget *budget;
  abstraction_kind kind;
  unsigned effort;             // 0, 1, ...: each asks twice as much of the solver
} abstraction_options;

// What may go wrong in a large step: one of its goals or losses.
typedef struct target { uint32_t step, number; bool is_loss; } target;

// ---- one step: edge.c ----
// A literal is 4 * predicate + 2 * (after the step) + sign.
typedef struct abstract_edge {
  bool is_possible;
  clauses guard;               // about before the step
  number_list changed;         // predicates
  VEC (clauses) values;        // by `changed`: about it after the step, and others before
  VEC (bool) is_open;          // by `changed`: some valuation leaves it open
  clauses together;            // about several after the step
} abstract_edge;
void edge_release (abstract_edge *);

// ---- the program: program.c ----
typedef enum meaning_kind { MEANS_NOTHING, MEANS_EXIT, MEANS_TARGET } meaning_kind;
typedef struct meaning { meaning_kind kind; uint32_t step, number /* of the exit, or of the target */; } meaning;

typedef struct abstraction {
  const folded *steps;
  efsm *m;
  abstraction_options options;
  predicates predicates;
  VEC (target) targets;        // that are asked about
  VEC (meaning) meanings;      // by location of the last program
  intern keys;                 // steps, and predicates that count for them
  VEC (clauses) known;         // by key: clauses that were found before
  VEC (clauses) learnt;        // of constrain.c
  map learnt_of;               // edge_key or target_key -> in `learnt`
  uint64_t questions, incomplete;  // to the solver; projections that are not whole
} abstraction;

void abstraction_init (abstraction *, const folded *, abstraction_options);
void abstraction_release (abstraction *);
void abstraction_ask (abstraction *, const target *, uint32_t count);
void abstraction_seed (abstraction *);          // predicates of what is asked about, and of who was started
// The process has not ended, and the target is met.  Moves need not say the former: once it has ended, it stays so.
term target_condition (abstraction *, const target *);
// With its regions.  The caller frees it.  NULL: the budget is spent.
bp_program *abstraction_program (abstraction *);
void edge_predicates_after (abstraction *, const efsm_update *, uint32_t count, term_list *out);  // the predicates over what was before
void edge_abstract (abstraction *, uint32_t step, uint32_t exit, abstract_edge *);
void edge_abstract_start (abstraction *, abstract_edge *);
void edge_abstract_target (abstraction *, const target *, clauses *guard /* literals as of an edge */);

// ---- paths: path.c, refine.c ----
typedef struct abstract_move { uint32_t step, exit; } abstract_move;
term move_condition (const abstraction *, abstract_move);
typedef struct abstract_path {
  VEC (abstract_move) moves;
  target end;                  // is met by the next step
  VEC (bool) valuations;       // of the predicates: before and after each move, and at the end
} abstract_path;

typedef enum path_answer { PATH_IS_REAL, PATH_IS_NOT, PATH_STOPPED } path_answer;
typedef struct path_check {
  abstraction *a;
  decider *decider;
  VEC (term) value;            // by variable, after the moves so far
  VEC (term) start;            // by variable
  VEC (map) inputs;            // by move: input -> the term for it
  term_list conditions;        // by move, and at the end
  uint32_t length;             // so many of them cannot all hold; of a path that is not real
} path_check;
path_answer path_decide (path_check *, abstraction *, const abstract_path *);
void path_check_release (path_check *);
ir_value path_start_value (path_check *, uint32_t variable);            // of a real one
ir_value path_input_value (path_check *, uint32_t move, term input);
bool path_is_exact (const path_check *);                               // no operation on floats was guessed

// ---- steps that are too coarse: constrain.c ----
static inline uint64_t edge_key (uint32_t step, uint32_t exit) { return (uint64_t) step << 32 | exit; }
static inline uint64_t target_key (const target *t) { return 1ull << 63 | (uint64_t) t->is_loss << 62 | (uint64_t) t->step << 31 | t->number; }
uint32_t constrain (abstraction *, const abstract_path *, uint32_t length);  // of its first conditions; how many clauses were learnt
const clauses *learnt_clauses (const abstraction *, uint64_t key);        // NULL: none

// Adds predicates, by weakest preconditions along the first `length` conditions of the path; how many.
uint32_t refine (abstraction *, const abstract_path *, uint32_t length);

#endif
