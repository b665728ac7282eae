// Work that is left where it stands when its budget is spent.
//
//   cutoff c = {.budget = &time};
//   if (!cutoff_run (&c, build, state)) {...}                 // left: `state` holds what was known until then, the rest is lost
//
// Loops that search ask budget_spent and end in order.  What builds (terms, circuits, points-to graphs) has many loops within each other and no
// sensible half of a result, so it calls cutoff_look instead, which does not return once the budget is spent: it jumps back to cutoff_run.  What was
// cut short therefore never looks finished: nothing after it is executed.  The price is that memory is not given back and that libraries that were
// in the middle of something must not be called again.  So only a budget that ends the engine may be run like this, not a part of one.
#ifndef LOCKSTEP_CUTOFF_H
#define LOCKSTEP_CUTOFF_H

#include <setjmp.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/budget.h"

typedef struct cutoff {
  const budget *budget;
  jmp_buf out;
  pid_t process;               // another one, forked meanwhile, must not jump
  struct cutoff *outer;
} cutoff;

enum { CUTOFF_CALLS = 64 };    // of cutoff_look for each look at the clock

extern _Thread_local uint32_t cutoff_calls;

// False: the work was left.  The budget's record says that it was cut short (budget_completion).
bool cutoff_run (cutoff *, void (*work) (void *), void *state);
// Until it is called with false, this thread is not stopped: for what must be finished once it was begun, such as reporting what was found.
void cutoff_hold (bool);

void cutoff_look_now (void);   // reads the clock
static inline void cutoff_look (void) {
  if (++cutoff_calls % CUTOFF_CALLS == 0) cutoff_look_now ();
}

#endif
