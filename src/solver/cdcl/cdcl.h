// A SAT solver whose search the caller can take part in by hooks (`cdcl_hooks`): hooks decide, imply literals, and
// accept or reject models. Without hooks, CaDiCaL behind solver/sat.h is faster; the functions are alike.
//
//   cdcl *s = cdcl_new (budget);
//   int x = cdcl_new_var (s), y = cdcl_new_var (s);
//   cdcl_add_clause (s, (int[]){x, -y}, 2);
//   if (cdcl_solve (s, (int[]){y}, 1) == SAT_YES) use (cdcl_value (s, x));     // until the next clause or variable
//   else if (... == SAT_NO) use (cdcl_in_core (s, y));                         // did this assumption matter?
//   cdcl_free (s);
//
// Literals are non-zero numbers, -x is the complement of x.  Clauses and variables may be added between calls of
// cdcl_solve at any time.
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

// Solving stops when the budget is spent. All memory is counted by base/memory.h.
cdcl *cdcl_new (const budget *);
void cdcl_free (cdcl *);                         // also after memory was exhausted in one of the calls below
int cdcl_new_var (cdcl *);                       // 1, 2, ...
void cdcl_add_clause (cdcl *, const int *literals, uint32_t count);  // count 0: never satisfiable from now on
sat_answer cdcl_solve (cdcl *, const int *assumptions, uint32_t count);
void cdcl_limit_conflicts (cdcl *, uint64_t);    // of the next cdcl_solve only; 0: none
bool cdcl_value (const cdcl *, int literal);     // after SAT_YES, before anything is added
bool cdcl_in_core (const cdcl *, int assumption);  // after SAT_NO

typedef struct cdcl_counters {
  uint64_t calls, decisions, conflicts, propagations, restarts;
  uint64_t learnt, learnt_literals, minimised_literals;  // minimised: found superfluous, of learnt_literals
  uint64_t deleted;                                      // learnt clauses of little use
  uint64_t explanations;                                 // asked of hooks
} cdcl_counters;
const cdcl_counters *cdcl_statistics (const cdcl *);
uint32_t cdcl_num_vars (const cdcl *);

// ---- proofs -----------------------------------------------------------------------------------------
// Writes a proof in the text form of DRAT to a file that the caller opens before the first clause and closes after
// cdcl_free: each learnt clause, and `d` before each clause that is deleted. The formula that it proves something about
// consists of all clauses of cdcl_add_clause, including those that hooks add, and of the clauses by which hooks
// explain; a checker must get all of them at the start. After SAT_NO the last clause is the empty one or, under
// assumptions, consists of complements of the core.
void cdcl_write_proof (cdcl *, FILE *);

// ---- hooks ------------------------------------------------------------------------------------------
// Functions of the caller that take part in the search; each may be NULL. cdcl_solve calls them like this:
//
//   search    clauses propagate; `assigned` for each new literal, in the order of assignment; `propagate`, repeated
//             until it returns 0; then `decide` or, if all variables have values, `complete`
//   conflict, restart, end of the call
//             `backtracked (level)`, before any other hook: all literals of higher levels have lost their values
//
// Literals of level 0 keep their values and are reported once. Assumptions are levels 1, 2, ... (some may be empty);
// `decide` is called only after all of them. In `propagate`, `decide` and `complete` (not in the others) a hook may
// call cdcl_new_var and cdcl_add_clause. Such a clause is permanent, like any other. The solver takes it in when the
// hook returns, whatever values its literals have: if all are false, it is a conflict.
//
// Example, at most one of x[0..n[ without n * n clauses:
//
//   static void assigned (void *user, int literal, uint32_t level) {
//     if (literal is an x[i]) push {literal, level} on a stack
//   }
//   static void backtracked (void *user, uint32_t level) { pop entries of higher levels }
//   static int propagate (void *user, cdcl *s) {
//     if (the stack is not empty)
//       for each i: if (x[i] is not stack[0] && cdcl_assigned (s, x[i]) >= 0) return -x[i];  // conflict if true
//     return 0;
//   }
//   static uint32_t explain (void *user, int literal, const int **clause) { clause = {literal, -stack[0]}; return 2; }
enum { CDCL_ENOUGH = INT_MIN };
typedef struct cdcl_hooks {
  void *user;
  void (*assigned) (void *user, int literal, uint32_t level);
  void (*backtracked) (void *user, uint32_t level);
  // Returns a literal that follows from the reported ones, or 0. A false literal is a conflict. A true literal is
  // ignored, so returning true literals again and again would never end.
  int (*propagate) (void *user, cdcl *);
  // The reason of an implied literal: a clause that contains it (anywhere) and whose other literals were false when
  // `propagate` returned it. Called only when conflict analysis needs the reason, while the literal still has its
  // value. The solver copies the clause at once. Required if `propagate` is given.
  uint32_t (*explain) (void *user, int literal, const int **clause);
  // Returns a literal without value to be made true next; or 0: the solver chooses; or CDCL_ENOUGH: the caller needs no
  // more values. Then the answer is SAT_YES, and cdcl_value is valid only for variables that have values now.
  int (*decide) (void *user, cdcl *);
  bool (*complete) (void *user, cdcl *);         // accepts the model; false: it has added clauses or variables
} cdcl_hooks;
void cdcl_set_hooks (cdcl *, const cdcl_hooks *);  // between calls of cdcl_solve; copied; NULL: none
int cdcl_assigned (const cdcl *, int literal);   // in a hook: 1 true, -1 false, 0 without value now
uint32_t cdcl_level (const cdcl *);              // in a hook: the current decision level

#endif
