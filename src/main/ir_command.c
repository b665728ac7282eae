// `lockstep ir`: prints the program in the form in which the engines take it.
#include "base/diag.h"
#include "main/main_impl.h"

int command_ir (const options *o, double start) {
  budget budget;
  load_budget (o, start, &budget);
  load_limits limits = {.budget = &budget};
  deadline_thread *w = deadline_thread_start (&budget, deadline_end_command, (void *) o);
  ir_program *program = load_program (o, &limits);
  int code = limits.stopped.count ? EXIT_UNKNOWN : EXIT_USAGE;
  strbuf_release (&limits.stopped);
  if (program) ir_print (program, stdout);
  deadline_thread_stop (w);
  if (!program) return code;
  ir_program_free (program);
  return stdout_finish () ? 0 : EXIT_USAGE;
}
