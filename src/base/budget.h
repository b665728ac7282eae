// Budget: limits of time and memory and the user's signals. Every long loop asks the budget whether to go on. The
// budget also gives the evidence that a computation was not cut short, without which nothing counts as proved.
//
//   budget_start (&whole, 30, 4 << 30);
//   while (budget_spent (&whole) == NULL && step ()) {}       // the loop may end early
//   budget_completion (&whole).is_complete                    // false if the loop did end early, for ever after
//
// When budget_spent tells a computation to stop, the budget records that. Copies of a budget share the record, so a
// computation that is cut short anywhere below marks the whole run as incomplete, and no proof can follow from it
// (engine/ending.h). An attempt that may be cut short without harm, because another attempt follows, works under a part
// of the budget: budget_part makes one with a record of its own.
#ifndef LOCKSTEP_BUDGET_H
#define LOCKSTEP_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum budget_limit { LIMIT_NONE, LIMIT_TIME, LIMIT_MEMORY, LIMIT_SIGNAL } budget_limit;

typedef struct budget_record {
  atomic_int struck;                   // budget_limit: the first limit that told a computation to stop
  struct budget_record *whole;         // record of the budget that this one is a part of, or NULL
  _Atomic double end;                  // of a whole budget: stop at this time (budget_keep_back); 0: at the limit
} budget_record;

typedef struct budget {
  double start, seconds;       // seconds 0: no limit
  double whole;                // seconds that the user gave, for messages
  size_t bytes;                // 0: no limit
  void (*watch) (void *state); // called by budget_spent, to show progress; or NULL
  void *watch_state;
  budget_record own, *record;  // record: the one in use; a copy of a budget uses the original's
  const struct budget *all;    // the budget that this one is a part of, or NULL
} budget;

// Evidence for a proof.  Zero means that there is none.
typedef struct completion { bool is_complete; } completion;

double budget_now (void);                        // monotonic seconds
void budget_start (budget *, double seconds, size_t bytes);
// Makes a part that lasts `seconds` from now, at most as long as `all`; 0: as long as `all`. The part must not be moved
// in memory, and `all` must outlive it.
void budget_part (budget *part, const budget *all, double seconds);
double budget_elapsed (const budget *);
double budget_left (const budget *);             // may be negative; 1e9 without limit
// NULL: go on. Otherwise the reason to stop: "time limit of 30 s", "memory limit of 4096 MB", "interrupted". Cheap, but
// reads the clock. The text is valid until the same thread calls budget_spent again.
const char *budget_spent (const budget *);
budget_limit budget_limit_met (const budget *);  // the same as a value; LIMIT_NONE: go on
const char *budget_limit_text (const budget *, budget_limit);  // its words; valid as long as those of budget_spent
// Searches stop `seconds` before the end of the whole budget: a step begun just before, such as a replay, may take
// that long.
void budget_keep_back (const budget *, double seconds);
// Records that a library was told to stop because of a limit that budget_spent does not see.
void budget_strike (const budget *, budget_limit);
// Complete if no computation under this budget, or under the budget that it is a part of, was told to stop so far.
completion budget_completion (const budget *);
// Declares that this process exits when the budget is spent. Libraries then need not free their memory, which takes
// some of them seconds.
void budget_ends_process (const budget *);
bool budget_process_is_ending (void);
// The first SIGINT, SIGTERM or SIGHUP stops the run, a second one kills the process.
void budget_catch_interrupts (void);
bool budget_interrupted (void);

#endif
