// The SAT solver of most engines: CaDiCaL, used incrementally. The wrapper turns wrong use into a CHECK of lockstep
// instead of an abort of the library.
//
//   sat *s = sat_new (budget);
//   int x = sat_new_var (s), y = sat_new_var (s);
//   sat_add_clause (s, (int[]){x, -y}, 2);
//   if (sat_solve (s, (int[]){y}, 1) == SAT_YES) use (sat_value (s, x));       // until the next clause or variable
//   else if (... == SAT_NO) use (sat_in_core (s, y));                          // did this assumption matter?
//   sat_free (s);
//
// Literals are non-zero numbers, -x is the complement of x.  Clauses and variables may be added between calls of
// sat_solve at any time.
#ifndef LOCKSTEP_SAT_H
#define LOCKSTEP_SAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"

typedef struct sat sat;
// stopped: the budget is spent, or the limit of conflicts
typedef enum sat_answer { SAT_YES, SAT_NO, SAT_STOPPED } sat_answer;

sat *sat_new (const budget *);                   // the budget is asked during solving
sat *sat_new_plain (const budget *);             // the same for many small questions: it does not simplify its clauses
void sat_free (sat *);
int sat_new_var (sat *);                         // 1, 2, ...
void sat_add_clause (sat *, const int *literals, uint32_t count);   // count 0: never satisfiable from now on
sat_answer sat_solve (sat *, const int *assumptions, uint32_t count);
// a clause for the next sat_solve only; at most one, not empty
void sat_constrain (sat *, const int *literals, uint32_t count);
void sat_limit_conflicts (sat *, uint64_t);      // of the next sat_solve only; 0: none
// after SAT_YES, before anything is added; a variable in no clause is false
bool sat_value (const sat *, int literal);
bool sat_in_core (const sat *, int assumption);  // after SAT_NO
uint32_t sat_num_vars (const sat *);
uint64_t sat_num_clauses (const sat *);          // added so far
uint64_t sat_num_calls (const sat *);

#endif
