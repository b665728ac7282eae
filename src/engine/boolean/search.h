// The search: paper BOOL, figure 1.  In reading order: search.c, successors.c, reduce.h.
#ifndef LOCKSTEP_BOOLEAN_SEARCH_H
#define LOCKSTEP_BOOLEAN_SEARCH_H

#include "engine/boolean/feasible.h"
#include "engine/boolean/history.h"
#include "ir/reason.h"

#define POR_WORDS(WORD) WORD (POR_DECIDE, "decide") WORD (POR_CLAUSES, "clauses") WORD (POR_OFF, "off")
typedef enum por_kind { POR_WORDS (OPTION_WORD_ID) } por_kind;

struct search;
// Chance has no part in it: the same options give the same search.
typedef struct search_options {
  const budget *budget;
  uint32_t max_threads;        // alive at once
  por_kind por;
  qbf_solver qbf;
  qbf_form form;
  bool plain;                  // formulas stay as the steps made them, as in the paper
  // An assertion fails: it is the one of this thread in this state.  False: stop the search.  Each assertion is told once.
  bool (*violation) (void *state, const struct search *, uint32_t at, uint32_t thread);
  void *state;
} search_options;

typedef struct search {
  search_options options;
  layout layout;
  simulator simulator;
  feasible feasible;
  canoniser canoniser;
  subsumption subsumption;
  history history;             // its states are the queue, too: those from `next` on have not been looked at
  uint32_t next;
  struct reduction *reduction; // NULL: none
  arena *arena;                // states
  draft draft;
  VEC (bool) expanded;         // by thread of the state at hand: its steps were made
  map failed;                  // locations of assertions that were told
  const reason *stopped;       // why it has ended before all states were seen; NULL: it has not
  bool told_enough, too_many_threads;
  uint64_t refuted, violations, resumed;   // guards that cannot be satisfied; states whose postponed threads had to go on
} search;

void search_init (search *, const bp_program *, const search_options *);
void search_run (search *);                      // to the end, or until it is stopped
void search_release (search *);

// ---- successors.c ----
// What one step of a thread leads to.
typedef enum expansion {
  EXPANDED,
  MAY_GO_ROUND,                 // all was done, but from some of the states the thread might go round: search.c
  STOPPED
} expansion;
expansion expand_thread (search *, uint32_t at, uint32_t thread);
bool is_free_to_move (const search *, const sym_state *, uint32_t thread);   // nobody else is inside an atomic region

extern const reason boolean_solver_gave_up;   // one of the solvers of the engine

#endif
