// Shows the line of progress.  Runs that end at once show none.
#include <stdarg.h>
#include <stdio.h>

#include "base/budget.h"
#include "engine/engine.h"

static const double SECONDS_BETWEEN = 0.5;

bool engine_progress_is_due (engine_run *r) {
  double now = budget_now (), due = r->next_progress;
  if (!r->progress || now < due) return false;
  r->next_progress = now + SECONDS_BETWEEN;
  return due > 0;
}

void engine_progress (engine_run *r, const char *format, ...) {
  char line[160];
  va_list arguments;
  if (!engine_progress_is_due (r)) return;
  va_start (arguments, format);
  vsnprintf (line, sizeof line, format, arguments);
  va_end (arguments);
  r->progress (r->progress_state, line);
}
