// Budget: the clock is the outermost stop only; all other limits count steps.
//
// The budget records that it was spent, separately from the limits themselves: freeing memory or handling a signal
// later does not make a computation complete that was cut short before.
#include "base/budget.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "base/memory.h"

static atomic_bool interrupted;
static _Atomic double interrupted_at;
static const double SAME_INTERRUPTION = 0.5;  // seconds

// timeout(1) and terminals send a signal both to the process and to its process group. The second arrival within this
// time is the same interruption, not a request to die at once.
static void on_signal (int signal_number) {
  if (!interrupted) {
    interrupted_at = budget_now ();
    interrupted = true;
  } else if (budget_now () - interrupted_at > SAME_INTERRUPTION) {
    signal (signal_number, SIG_DFL);
    raise (signal_number);
  }
}

// A signal that was ignored when lockstep was started (nohup, jobs in the background) stays ignored.
static void catch_signal (int signal_number) {
  struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  if (!sigaction (signal_number, NULL, &before) && before.sa_handler != SIG_IGN)
    sigaction (signal_number, &action, NULL);
}

void budget_catch_interrupts (void) {
  catch_signal (SIGINT);
  catch_signal (SIGTERM);
  catch_signal (SIGHUP);
}

bool budget_interrupted (void) { return interrupted; }

double budget_now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

void budget_start (budget *b, double seconds, size_t bytes) {
  *b = (budget){.start = budget_now (), .seconds = seconds, .whole = seconds, .bytes = bytes};
  b->record = &b->own;
}

void budget_part (budget *part, const budget *all, double seconds) {
  *part = *all;
  if (seconds && seconds < budget_left (all)) {
    part->start = budget_now ();
    part->seconds = seconds;
  }
  part->own = (budget_record){.whole = all->record};
  part->all = all;
  part->record = &part->own;
}

double budget_elapsed (const budget *b) { return budget_now () - b->start; }
double budget_left (const budget *b) { return b->seconds ? b->seconds - budget_elapsed (b) : 1e9; }

// ---- time that is kept back ----------------------------------------------------------------------------
static budget_record *record_of_whole (const budget *b) {
  budget_record *r = b->record;
  while (r && r->whole) r = r->whole;
  return r;
}

void budget_keep_back (const budget *b, double seconds) {
  budget_record *r = record_of_whole (b);
  while (b->all) b = b->all;
  double end = b->start + b->seconds - seconds;
  if (r && b->seconds && (!r->end || end < r->end)) r->end = end;
}

static bool is_kept_back (const budget *b) {
  const budget_record *r = record_of_whole (b);
  return r && r->end && budget_now () > r->end;
}

// ---- when it is spent ----------------------------------------------------------------------------------
static double process_end;  // 0: none

void budget_ends_process (const budget *b) { process_end = b->seconds ? b->start + b->seconds : 0; }
bool budget_process_is_ending (void) { return process_end && budget_now () > process_end; }

static budget_limit limit_reached (const budget *b) {
  if (interrupted) return LIMIT_SIGNAL;
  if (b->bytes && mem_live_bytes () > b->bytes) return LIMIT_MEMORY;
  if ((b->seconds && budget_elapsed (b) > b->seconds) || is_kept_back (b)) return LIMIT_TIME;
  return LIMIT_NONE;
}

const char *budget_limit_text (const budget *b, budget_limit limit) {
  static _Thread_local char text[64];
  if (limit == LIMIT_SIGNAL) return "interrupted";
  if (limit == LIMIT_MEMORY) snprintf (text, sizeof text, "memory limit of %zu MB", b->bytes >> 20);
  else snprintf (text, sizeof text, "time limit of %g s", b->whole ? b->whole : b->seconds);
  return text;
}

budget_limit budget_limit_met (const budget *b) {
  if (b->watch) b->watch (b->watch_state);
  budget_limit limit = limit_reached (b);
  if (limit != LIMIT_NONE) budget_strike (b, limit);
  return limit;
}

const char *budget_spent (const budget *b) {
  budget_limit limit = budget_limit_met (b);
  return limit == LIMIT_NONE ? NULL : budget_limit_text (b, limit);
}

void budget_strike (const budget *b, budget_limit limit) {
  int before = LIMIT_NONE;
  if (b->record) atomic_compare_exchange_strong (&b->record->struck, &before, (int) limit);
}

completion budget_completion (const budget *b) {
  for (const budget_record *r = b->record; r; r = r->whole)
    if (atomic_load (&r->struck) != LIMIT_NONE) return (completion){false};
  return (completion){b->record != NULL};
}
