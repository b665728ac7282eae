// The search: paper BOOL, figure 1. In reading order: symbolic_search.c, successors.c, boolean_reduce.h.
#ifndef LOCKSTEP_BOOLEAN_SYMBOLIC_SEARCH_H
#define LOCKSTEP_BOOLEAN_SYMBOLIC_SEARCH_H

#include "engine/boolean/feasible.h"
#include "engine/boolean/history.h"
#include "ir/reason.h"

#define POR_WORDS(WORD) WORD (POR_DECIDE, "decide") WORD (POR_CLAUSES, "clauses") WORD (POR_OFF, "off")
typedef enum por_kind { POR_WORDS (OPTION_WORD_ID) } por_kind;

struct symbolic_search;
// Nothing is random: the same options give the same search.
typedef struct search_options {
  const budget *budget;
  uint32_t max_threads;        // alive at the same time
  por_kind por;
  qbf_solver qbf;
  qbf_form form;
  bool plain;                  // formulas stay as the steps made them, as in the paper
  // Called when the assertion of this thread fails in this state; false: stop the search. Called once for each
  // assertion.
  bool (*violation) (void *state, const struct symbolic_search *, uint32_t at, uint32_t thread);
  void *state;
} search_options;

typedef struct symbolic_search {
  search_options options;
  state_layout layout;
  simulator simulator;
  feasible feasible;
  canoniser canoniser;
  subsumption subsumption;
  history history;             // its states are the queue, too: those from `next` on were not expanded yet
  uint32_t next;
  struct reduction *reduction; // NULL: none
  arena *arena;                // states
  state_builder draft;
  VEC (bool) expanded;         // by thread of the current state: its steps were made
  map failed;                  // locations of assertions that were reported
  const reason *stopped;       // why the search ended before all states were expanded; NULL: it did not
  bool told_enough, too_many_threads;
  // guards that cannot be satisfied; states in which the postponed threads were resumed
  uint64_t refuted, violations, resumed;
} symbolic_search;

void search_init (symbolic_search *, const bp_program *, const search_options *);
void search_run (symbolic_search *);                      // runs to the end, or until it is stopped
void search_release (symbolic_search *);

// ---- successors.c ----
// What one step of a thread leads to.
typedef enum expansion {
  EXPANDED,
  // all steps were made, but from some of the states the thread might go round a cycle: symbolic_search.c
  MAY_GO_ROUND,
  STOPPED
} expansion;
expansion expand_thread (symbolic_search *, uint32_t at, uint32_t thread);
// No other thread is inside an atomic region.
bool is_free_to_move (const symbolic_search *, const sym_state *, uint32_t thread);

extern const reason boolean_solver_gave_up;   // one of the solvers of the engine gave up

#endif
