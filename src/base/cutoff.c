// Leaves the work by longjmp, as base/memory.h does when memory is exhausted; so all code that allocates is already
// prepared for it. A thread without a cutoff_run of its own, or a process forked within one, is never stopped here.
#include "base/cutoff.h"

#include <unistd.h>

_Thread_local uint32_t cutoff_calls;
static _Thread_local cutoff *innermost;
static _Thread_local bool held;

bool cutoff_run (cutoff *c, void (*work) (void *), void *state) {
  volatile bool finished = false;
  c->process = getpid ();
  c->outer = innermost;
  held = false;
  if (setjmp (c->out) == 0) {
    innermost = c;
    work (state);
    finished = true;
  }
  innermost = c->outer;
  return finished;
}

void cutoff_hold (bool on) { held = on; }

void cutoff_look_now (void) {
  cutoff *c = innermost;
  if (!c || held || !budget_spent (c->budget) || c->process != getpid ()) return;
  longjmp (c->out, 1);
}
