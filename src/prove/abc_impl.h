// ABC (Brayton, Mishchenko, "ABC: an academic industrial-strength verification tool", 2010) as a program of its
// own.  abc_run.c starts it and reads its files, abc.c says what they mean.
#ifndef LOCKSTEP_ABC_IMPL_H
#define LOCKSTEP_ABC_IMPL_H

#include "base/strbuf.h"
#include "prove/prove_impl.h"

typedef struct abc_answer {
  strbuf text;                 // what it printed
  strbuf counterexample;       // as `write_cex -a` writes it; empty: none
  strbuf invariant;            // as `pdr -d` writes it; empty: none
} abc_answer;

// Reads the plain circuit, executes the command, which may write `invariant`, and asks for a counterexample.  Ends
// when the budget is spent.  NULL, or why there is no answer.
const char *abc_ask (const netlist *plain, const char *command, const budget *, abc_answer *);
void abc_answer_release (abc_answer *);

#endif
