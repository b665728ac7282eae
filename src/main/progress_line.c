// Shows the progress of a long search: one line that is rewritten in place on a terminal, nothing elsewhere; with -v
// every line is kept.
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/diag.h"
#include "main/main_impl.h"

void progress_start (progress *p, const char *engine) {
  *p = (progress){.engine = engine, .columns = 80};
  p->terminal = isatty (STDERR_FILENO) && diag_verbosity () == 0;
  struct winsize size;
  if (p->terminal && ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10) p->columns = size.ws_col;
}

void progress_show (void *state, const char *line) {
  progress *p = state;
  if (diag_verbosity () > 0) diag_verbose (1, p->engine, "%s", line);
  if (!p->terminal) return;
  char text[512];
  snprintf (text, sizeof text, "%s: %s", p->engine, line);
  if (strlen (text) >= p->columns) text[p->columns - 1] = 0;  // a wrapped line could not be rewritten
  fprintf (stderr, "\r\033[K%s", text);
  fflush (stderr);
  p->on_screen = true;
}

void progress_end (progress *p) {
  if (p->on_screen) fputs ("\r\033[K", stderr);
  p->on_screen = false;
}
