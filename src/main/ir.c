// `lockstep ir`: the program as lockstep sees it.
#include "base/diag.h"
#include "main/main_impl.h"

int command_ir (const options *o, double start) {
  (void) start;
  ir_program *program = load_program (o);
  if (!program) return EXIT_USAGE;
  ir_print (program, stdout);
  ir_program_free (program);
  return stdout_finish () ? 0 : EXIT_USAGE;
}
