// A SAT solver of our own, for questions in which somebody outside the clauses has a say in the search: what is decided next, what follows, and whether
// a model will do (`cdcl_hooks`).  Where nobody has, CaDiCaL behind solver/sat.h is faster; the calls are alike.
//
//   cdcl *s = cdcl_new (budget);
//   int x = cdcl_new_var (s), y = cdcl_new_var (s);
//   cdcl_add_clause (s, (int[]){x, -y}, 2);
//   if (cdcl_solve (s, (int[]){y}, 1) == SAT_YES) use (cdcl_value (s, x));     // until the next clause or variable
//   else if (... == SAT_NO) use (cdcl_in_core (s, y));                         // did this assumption matter?
//   cdcl_free (s);
//
// Literals are non-zero numbers, -x is the complement of x.  Clauses and variables may be added between calls of cdcl_solve at any time.
//
//              add_clause, new_var                          solve
//   CHANGED <----------------------- SATISFIED, UNSATISFIED, STOPPED <------- any state
//                                    |          |
//                                    value      in_core
#ifndef LOCKSTEP_CDCL_H
#define LOCKSTEP_CDCL_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/budget.h"
#include "solver/sat.h"

typedef struct cdcl cdcl;

cdcl *cdcl_new (const budget *);                 // the budget is asked during solving; all memory is counted by base/memory.h
void cdcl_free (cdcl *);                         // also after memory was exhausted in one of the calls below
int cdcl_new_var (cdcl *);                       // 1, 2, ...
void cdcl_add_clause (cdcl *, const int *literals, uint32_t count);  // count 0: never satisfiable from now on
sat_answer cdcl_solve (cdcl *, const int *assumptions, uint32_t count);
void cdcl_limit_conflicts (cdcl *, uint64_t);    // of the next cdcl_solve only; 0: none
bool cdcl_value (const cdcl *, int literal);     // after SAT_YES, before anything is added
bool cdcl_in_core (const cdcl *, int assumption);  // after SAT_NO

typedef struct cdcl_counters {
  uint64_t calls, decisions, conflicts, propagations, restarts;
  uint64_t learnt, learnt_literals, minimised_literals;  // of learnt_literals, so many were found superfluous
  uint64_t deleted;                                      // learnt clauses, as hardly useful
  uint64_t explanations;                                 // asked of hooks
} cdcl_counters;
const cdcl_counters *cdcl_statistics (const cdcl *);
uint32_t cdcl_num_vars (const cdcl *);

// ---- proofs ------------------------------------------------------------------------------------------------------------------
// Writes a proof in the text form of DRAT to a file that the caller opens before the first clause and closes after cdcl_free: each learnt clause, and
// `d` before each clause that is deleted.  It is about the clauses of cdcl_add_clause, also those that hooks add, and those by which hooks explain: a checker must get
// all of them at the start.  After SAT_NO the last clause is the empty one or, under assumptions, consists of complements of the core.
void cdcl_write_proof (cdcl *, FILE *);

// ---- hooks -------------------------------------------------------------------------------------------------------------------
// Somebody outside who takes part in the search; each function may be NULL.  They are called by cdcl_solve like this:
//
//   search:  clauses propagate; then `assigned` for each new literal, in the order of assignment; then `propagate`, again and again until it has nothing to say;
//            then `decide`; or, if all variables have values, `complete`
//   conflict, restart, end of the call: `backtracked (level)`: all literals of higher levels have lost their values.  It comes before anything else is told.
//
// Level 0 is for ever, and its literals are told once.  Assumptions are levels 1, 2, ... (some may be empty); `decide` comes below them.
// In `propagate`, `decide` and `complete` (not in the others) a hook may call cdcl_new_var and cdcl_add_clause.  Such a clause is for ever, like any other, and is taken in
// when the hook returns, whatever values its literals have: if all are false, it is a conflict.
//
// Example, at most one of x[0..n[ without n * n clauses:
//
//   static void assigned (void *user, int literal, uint32_t level) { if (literal is an x[i]) push {literal, level} on a stack }
//   static void backtracked (void *user, uint32_t level) { pop what is of higher levels }
//   static int propagate (void *user, cdcl *s) {
//     if (the stack is not empty) for each i: if (x[i] is not stack[0] && cdcl_assigned (s, x[i]) >= 0) return -x[i];   // also if it is true: a conflict
//     return 0;
//   }
//   static uint32_t explain (void *user, int literal, const int **clause) { clause = {literal, -stack[0]}; return 2; }
enum { CDCL_ENOUGH = INT_MIN };
typedef struct cdcl_hooks {
  void *user;
  void (*assigned) (void *user, int literal, uint32_t level);
  void (*backtracked) (void *user, uint32_t level);
  // A literal that follows from those that were told, or 0.  One that is false is a conflict, one that is true is not looked at: do not repeat it for ever.
  int (*propagate) (void *user, cdcl *);
  // Why the literal followed: a clause with it (anywhere), whose other literals were false when `propagate` returned it.  Asked only if a conflict makes it
  // interesting, as long as the literal has its value.  The clause is read at once.  Needed if `propagate` returns literals.
  uint32_t (*explain) (void *user, int literal, const int **clause);
  // A literal without value to be made true next, or 0: the solver chooses; or CDCL_ENOUGH: whoever asks knows that the values there are can be completed,
  // or does not want to know: the answer is SAT_YES, and cdcl_value is good for those variables only that have values now.
  int (*decide) (void *user, cdcl *);
  bool (*complete) (void *user, cdcl *);         // accept the model?  If not, it has added clauses or variables.
} cdcl_hooks;
void cdcl_set_hooks (cdcl *, const cdcl_hooks *);  // between calls; they are copied; NULL: none
int cdcl_assigned (const cdcl *, int literal);   // in a hook: 1 true, -1 false, 0 without value now
uint32_t cdcl_level (const cdcl *);              // in a hook: of the last decision

#endif
