// Budget: the clock is the outermost stop only; all other limits count steps.
#include "base/budget.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "base/memory.h"

static atomic_bool interrupted;

static void on_signal (int signal_number) {
  interrupted = true;
  signal (signal_number, SIG_DFL);
}

void budget_catch_interrupts (void) {
  signal (SIGINT, on_signal);
  signal (SIGTERM, on_signal);
}

bool budget_interrupted (void) { return interrupted; }

double budget_now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

void budget_start (budget *b, double seconds, size_t bytes) {
  *b = (budget){.start = budget_now (), .seconds = seconds, .whole = seconds, .bytes = bytes};
}

double budget_elapsed (const budget *b) { return budget_now () - b->start; }
double budget_left (const budget *b) { return b->seconds ? b->seconds - budget_elapsed (b) : 1e9; }

const char *budget_spent (const budget *b) {
  static _Thread_local char text[64];
  if (b->watch) b->watch (b->watch_state);
  if (interrupted) return "interrupted";
  if (b->bytes && mem_live_bytes () > b->bytes) {
    snprintf (text, sizeof text, "memory limit of %zu MB", b->bytes >> 20);
    return text;
  }
  if (b->seconds && budget_elapsed (b) > b->seconds) {
    snprintf (text, sizeof text, "time limit of %g s", b->whole ? b->whole : b->seconds);
    return text;
  }
  return NULL;
}
