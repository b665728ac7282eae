// Cutoff: abandons a computation in the middle as soon as its budget is spent, by a longjmp out of it.
//
//   cutoff c = {.budget = &time};
//   if (!cutoff_run (&c, build, state)) {...}       // abandoned: only what `state` held by then is known
//
// A search loop asks budget_spent and returns normally. Code that builds terms, circuits or points-to graphs has many
// nested loops, and half of its result is of no use. It calls cutoff_look instead, which jumps back to cutoff_run once
// the budget is spent. So an unfinished result is never mistaken for a finished one: no code after it runs. The price:
// the memory of the abandoned work is not freed, and a library that was interrupted must not be called again.
// Therefore only a budget whose end is the end of the engine may be used here, not a part of one.
#ifndef LOCKSTEP_CUTOFF_H
#define LOCKSTEP_CUTOFF_H

#include <setjmp.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/budget.h"

typedef struct cutoff {
  const budget *budget;
  jmp_buf out;
  pid_t process;               // that called cutoff_run; a process forked inside must not jump
  struct cutoff *outer;
} cutoff;

enum { CUTOFF_CALLS = 64 };    // cutoff_look reads the clock once in so many calls

extern _Thread_local uint32_t cutoff_calls;

// False: the work was abandoned, and the budget's record says so (budget_completion).
bool cutoff_run (cutoff *, void (*work) (void *), void *state);
// true: from now on this thread is not stopped, until a call with false. For work that must be finished once begun,
// such as reporting a violation.
void cutoff_hold (bool);

void cutoff_look_now (void);   // reads the clock
static inline void cutoff_look (void) {
  if (++cutoff_calls % CUTOFF_CALLS == 0) cutoff_look_now ();
}

#endif
