// The line that shows the progress of the search now and then: each query whether the budget is spent also updates it.
#include <stdio.h>

#include "engine/order/order_impl.h"

// Events and clauses are counted when symbolic execution has ended.
static void format_order_progress (const order_search *z, char *line, size_t size) {
  char left[40] = "";
  if (z->budget.seconds) snprintf (left, sizeof left, ", %.0f s left", budget_left (&z->budget));
  if (!z->decider) {
    snprintf (line, size, "unwind %u, walk %llu, %u bugs%s", z->unwind, (unsigned long long) z->walks, z->bugs, left);
    return;
  }
  decider_stats s = decider_get_stats (z->decider);
  snprintf (line, size, "unwind %u, %llu events, %llu clauses, %u goals open, %u bugs%s", z->unwind,
            (unsigned long long) z->events, (unsigned long long) s.clauses, z->open, z->bugs, left);
}

static void show (void *state) {
  order_search *z = state;
  char line[160];
  if (!engine_progress_is_due (z->run)) return;
  format_order_progress (z, line, sizeof line);
  z->run->progress (z->run->progress_state, line);
}

void order_begin_progress (order_search *z) {
  z->budget = *z->run->budget;
  if (!z->run->progress) return;
  z->budget.watch = show;
  z->budget.watch_state = z;
}
