// `lockstep abstract`: the program as a Boolean one over predicates, which `lockstep check x.bp` and other checkers of such programs read.
#include <string.h>

#include "base/diag.h"
#include "engine/boolean/model.h"
#include "main/main_impl.h"

typedef struct job {
  const options *options;
  budget budget;
  semantics semantics;
  task task;
  ir_program *program;
  verdict verdict;
  strbuf text;
} job;

static bool options_fit (const job *j) {
  strbuf why = {0};
  const char *path = j->options->value[OPT_OUTPUT].text;
  bool good = true;
  if (!path) diag_error (NULL, 0, 0, "where should the Boolean program go? -o FILE.bp, or -o - for standard output");
  else if (!(j->semantics.properties & BOOLEAN_PROPERTIES))
    diag_error (NULL, 0, 0, "a Boolean program can be about assertions, misuse of locks, memory errors and overflows");
  else if (!strcmp (path, "-") || (good = report_file_probe (path, &why))) return true;
  if (!good) diag_error (NULL, 0, 0, "-o: %s", strbuf_text (&why));
  strbuf_release (&why);
  return false;
}

static void make (void *state) {
  job *j = state;
  engine_run run = {.program = j->program,
                    .task = &j->task,
                    .budget = &j->budget,
                    .verdict = &j->verdict,
                    .engine = engine_boolean.name};
  j->verdict.reason = boolean_abstract (&run, j->options->value[OPT_ROUNDS].number, &j->text);
}

static bool write_text (job *j) {
  const char *path = j->options->value[OPT_OUTPUT].text;
  strbuf why = {0};
  if (!strcmp (path, "-")) {
    fputs (strbuf_text (&j->text), stdout);
    return stdout_finish ();
  }
  bool good = report_file_write_bytes (path, &j->text, &why);
  if (!good) diag_error (NULL, 0, 0, "-o: %s", strbuf_text (&why));
  strbuf_release (&why);
  return good;
}

static int work (job *j) {
  j->task = load_task (j->options, &j->semantics);
  verdict_init (&j->verdict);
  bool finished = guard_run (make, j);
  const char *reason = finished ? j->verdict.reason : "out of memory";
  if (reason) diag_error (NULL, 0, 0, "there is no Boolean program: %s", reason);
  int code = reason ? EXIT_UNKNOWN : write_text (j) ? 0 : EXIT_USAGE;
  strbuf_release (&j->text);
  verdict_release (&j->verdict);
  return code;
}

int command_abstract (const options *o, double start) {
  job j = {.options = o, .semantics = load_semantics (o)};
  if (!options_fit (&j)) return EXIT_USAGE;
  load_budget (o, start, &j.budget);
  budget_catch_interrupts ();
  j.program = load_program (o);
  if (!j.program) return budget_interrupted () ? EXIT_UNKNOWN : EXIT_USAGE;
  int code = work (&j);
  ir_program_free (j.program);
  return code;
}
