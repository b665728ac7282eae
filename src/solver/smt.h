// Z3 as a solver for words of 1 to 128 bits, with the total operators of ir.h. A second opinion beside sat.h, and
// incremental like it: assertions may be added between checks.
//
//   smt *s = smt_new (budget);
//   smt_word x = smt_var (s, 32), c = smt_apply (s, IR_X_ULT, 1, x, smt_const (s, 32, 7), SMT_NONE);
//   smt_add_clause (s, &c, 1);
//   if (smt_check (s, NULL, 0) == SMT_YES) use (smt_value (s, x));            // until the next word or clause
//   smt_free (s);
//
// Conditions are words of one bit. Of the operators on floats only FNEG and FABS are supported (smt_has_op).
// An error inside Z3 (no memory left) makes this and all later checks SMT_STOPPED.
#ifndef LOCKSTEP_SMT_H
#define LOCKSTEP_SMT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"
#include "ir/ir.h"

typedef struct smt smt;
typedef struct { uint32_t i; } smt_word;
#define SMT_NONE ((smt_word){UINT32_MAX})
typedef enum smt_answer { SMT_YES, SMT_NO, SMT_STOPPED } smt_answer;

smt *smt_new (const budget *);                   // its time and memory bound each check
void smt_free (smt *);
bool smt_has_op (ir_expr_op);
smt_word smt_const (smt *, unsigned bits, ir_value);
smt_word smt_var (smt *, unsigned bits);
smt_word smt_apply (smt *, ir_expr_op, unsigned bits, smt_word, smt_word, smt_word);  // unused ones SMT_NONE
void smt_add_clause (smt *, const smt_word *conditions, uint32_t count);              // one of them holds
smt_answer smt_check (smt *, const smt_word *assumptions, uint32_t count);
ir_value smt_value (smt *, smt_word);            // after SMT_YES
bool smt_in_core (const smt *, uint32_t assumption);  // after SMT_NO: did the assumption with this index matter?
uint64_t smt_num_calls (const smt *);
uint64_t smt_num_clauses (const smt *);
uint32_t smt_num_vars (const smt *);

#endif
