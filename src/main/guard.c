// Exhausted memory is an answer ("unknown"), not a crash: base/memory.h calls the handler below, which jumps out of
// whatever was running.  A few megabytes are set aside beforehand, so that there is something left to report with.
#include <setjmp.h>

#include "base/memory.h"
#include "main/main_impl.h"

enum { RESERVE = 8 << 20 };

static _Noreturn void jump_back (void *state) { longjmp (*(jmp_buf *) state, 1); }

bool guard_run (void (*work) (void *), void *state) {
  jmp_buf back;
  void *volatile reserve = NULL;
  volatile bool finished = false;
  if (setjmp (back) == 0) {
    mem_set_exhausted_handler (jump_back, &back);
    reserve = mem_alloc (RESERVE);
    work (state);
    finished = true;
  }
  mem_set_exhausted_handler (NULL, NULL);
  mem_free (reserve, RESERVE);
  return finished;
}
