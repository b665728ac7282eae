// Commands that make one file of a program: it is read, the file made within the limits, and if there is none, it says why.
#include <string.h>

#include "base/diag.h"
#include "main/main_impl.h"

static bool tell_why (bool good, strbuf *why) {
  if (!good) diag_error (NULL, 0, 0, "-o: %s", strbuf_text (why));
  strbuf_release (why);
  return good;
}

bool making_write (const making *m, const strbuf *bytes) {
  const char *path = m->options->value[OPT_OUTPUT].text;
  strbuf why = {0};
  if (strcmp (path, "-"))
    return tell_why (report_file_write_bytes (path, m->options->value[OPT_FORCE].number, bytes, &why), &why);
  fwrite (bytes->data, 1, bytes->count, stdout);
  return true;
}

static void make (void *state) {
  making *m = state;
  engine_run run = {
      .program = m->program, .task = &m->task, .budget = &m->budget, .verdict = &m->verdict, .engine = m->engine->name};
  m->good = m->make (m, &run);
}

static int work (making *m) {
  m->task = load_task (m->options, &m->semantics);
  verdict_init (&m->verdict);
  bool finished = guard_run (make, m);
  const reason *why = finished ? m->verdict.stop : &reason_out_of_memory;
  if (why) diag_error (NULL, 0, 0, "there is no %s: %s", m->what, why->text);
  int code = why ? EXIT_UNKNOWN : m->good && stdout_finish () ? 0 : EXIT_USAGE;
  verdict_release (&m->verdict);
  return code;
}

int making_run (making *m, double start) {
  load_budget (m->options, start, &m->budget);
  load_limits limits = {.budget = &m->budget};
  watch *w = watch_start (&m->budget, watch_end_command, (void *) m->options);
  m->program = load_program (m->options, &limits);
  int code = limits.stopped.count ? EXIT_UNKNOWN : EXIT_USAGE;
  strbuf_release (&limits.stopped);
  if (m->program) {
    bool fits = !m->choose || m->choose (m->options, m->program, &m->semantics);
    code = fits ? work (m) : EXIT_USAGE;
    ir_program_free (m->program);
  }
  watch_stop (w);
  return code;
}
