// Runs ABC (Brayton, Mishchenko, "ABC: an academic industrial-strength verification tool", 2010) as a separate program.
// abc_run.c starts it and reads its files, abc.c interprets them.
#ifndef LOCKSTEP_ABC_IMPL_H
#define LOCKSTEP_ABC_IMPL_H

#include "base/strbuf.h"
#include "prove/prove_impl.h"

typedef struct abc_answer {
  strbuf text;                 // standard output of ABC
  strbuf counterexample;       // in the format of `write_cex -a`; empty: none
  strbuf invariant;            // in the format of `pdr -d`; empty: none
} abc_answer;

// Reads the plain circuit into ABC, executes the command, which may write `invariant`, and asks for a counterexample.
// Stops when the budget is spent. Returns NULL, or why there is no answer.
const char *abc_ask (const netlist *plain, const char *command, const budget *, abc_answer *);
void abc_answer_release (abc_answer *);

#endif
