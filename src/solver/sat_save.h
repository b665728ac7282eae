// Questions to the SAT solver saved as DIMACS files, for bench/cdcl: with LOCKSTEP_SAVE_CNF=DIR:SECONDS in the
// environment, each question that took at least so long is written to DIR/<process>-<solver>-<call>.cnf, its
// assumptions as clauses of one literal.
#ifndef LOCKSTEP_SAT_SAVE_H
#define LOCKSTEP_SAT_SAVE_H

#include <stdint.h>

typedef struct sat_save sat_save;

sat_save *sat_save_new (void);                   // NULL if the variable is not set; all functions accept NULL
void sat_save_free (sat_save *);
void sat_save_clause (sat_save *, const int *literals, uint32_t count);
// Before the call.
void sat_save_call (sat_save *, const int *assumptions, uint32_t count, const int *constraint,
                    uint32_t constraint_count);
void sat_save_answer (sat_save *, uint32_t num_vars);  // after the call; writes the file

#endif
