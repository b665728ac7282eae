// Turns exhausted memory into the verdict "unknown" instead of a crash: base/memory.h calls the handler below, which
// jumps out of the work.  A few megabytes are reserved beforehand, so that there is memory left for the report.
#include <setjmp.h>

#include "base/memory.h"
#include "main/main_impl.h"

enum { RESERVE = 8 << 20 };

static _Noreturn void jump_out_of_work (void *state) { longjmp (*(jmp_buf *) state, 1); }

bool run_catching_out_of_memory (void (*work) (void *), void *state) {
  jmp_buf back;
  void *volatile reserve = NULL;
  volatile bool finished = false;
  if (setjmp (back) == 0) {
    mem_set_exhausted_handler (jump_out_of_work, &back);
    reserve = mem_alloc (RESERVE);
    work (state);
    finished = true;
  }
  mem_set_exhausted_handler (NULL, NULL);
  mem_free (reserve, RESERVE);
  return finished;
}
