// Commands that translate a program to one file: load the program, write the file within the limits, or report why
// there is no file.
#include <string.h>

#include "base/diag.h"
#include "main/main_impl.h"

static bool report_write_error (bool good, strbuf *why) {
  if (!good) diag_error (NULL, 0, 0, "-o: %s", strbuf_text (why));
  strbuf_release (why);
  return good;
}

bool output_command_write (const output_command *m, const strbuf *bytes) {
  const char *path = m->options->value[OPT_OUTPUT].text;
  strbuf why = {0};
  if (strcmp (path, "-"))
    return report_write_error (report_file_write_bytes (path, m->options->value[OPT_FORCE].number, bytes, &why), &why);
  fwrite (bytes->data, 1, bytes->count, stdout);
  return true;
}

static void make_output (void *state) {
  output_command *m = state;
  engine_run run = {
      .program = m->program, .task = &m->task, .budget = &m->budget, .verdict = &m->verdict, .engine = m->engine->name};
  m->good = m->make (m, &run);
}

static int write_output (output_command *m) {
  m->task = load_task (m->options, &m->semantics);
  verdict_init (&m->verdict);
  bool finished = run_catching_out_of_memory (make_output, m);
  const reason *why = finished ? m->verdict.stop : &reason_out_of_memory;
  if (why) diag_error (NULL, 0, 0, "there is no %s: %s", m->what, why->text);
  int code = why ? EXIT_UNKNOWN : m->good && stdout_finish () ? 0 : EXIT_USAGE;
  verdict_release (&m->verdict);
  return code;
}

int output_command_run (output_command *m, double start) {
  load_budget (m->options, start, &m->budget);
  load_limits limits = {.budget = &m->budget};
  deadline_thread *w = deadline_thread_start (&m->budget, deadline_end_command, (void *) m->options);
  m->program = load_program (m->options, &limits);
  int code = limits.stopped.count ? EXIT_UNKNOWN : EXIT_USAGE;
  strbuf_release (&limits.stopped);
  if (m->program) {
    bool fits = !m->choose || m->choose (m->options, m->program, &m->semantics);
    code = fits ? write_output (m) : EXIT_USAGE;
    ir_program_free (m->program);
  }
  deadline_thread_stop (w);
  return code;
}
