// Budget: time, memory and the user's Ctrl-C, asked by every long loop.
#ifndef LOCKSTEP_BUDGET_H
#define LOCKSTEP_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct budget {
  double start, seconds;       // seconds 0: no limit.  Parts of a budget are copies with other seconds
  double whole;                // seconds that the user knows of, for the text
  size_t bytes;                // 0: no limit
  void (*watch) (void *state); // called whenever budget_spent is, to show that time goes by; NULL: nobody watches
  void *watch_state;
} budget;

double budget_now (void);                        // monotonic seconds
void budget_start (budget *, double seconds, size_t bytes);
double budget_elapsed (const budget *);
double budget_left (const budget *);             // may be negative; 1e9 without limit
// NULL to go on, else why to stop: "time limit of 30 s", "memory limit of 4096 MB", "interrupted".  Cheap, but reads the clock.
// The text is the calling thread's, until it asks again.
const char *budget_spent (const budget *);
void budget_catch_interrupts (void);             // first Ctrl-C or SIGTERM stops the run, a second one kills
bool budget_interrupted (void);

#endif
