// Budget: time, memory and the user's signals, asked by every long loop; and the evidence that a computation was not cut short by them.
//
//   budget_start (&whole, 30, 4 << 30);
//   while (budget_spent (&whole) == NULL && step ()) {}       // the loop may end early
//   budget_completion (&whole).is_complete                    // ... and this tells whether it did, whoever asks and whenever
//
// When budget_spent tells a computation to stop, the budget records that.  Copies of a budget share the record, so a computation that was cut short
// anywhere below leaves its mark, and what is concluded from it can be no proof (engine/ending.h).  Where a computation may be cut short
// without harm (an attempt that another attempt follows), it gets a part of the budget, made by budget_part, which has a record of its own.
#ifndef LOCKSTEP_BUDGET_H
#define LOCKSTEP_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum budget_limit { LIMIT_NONE, LIMIT_TIME, LIMIT_MEMORY, LIMIT_SIGNAL } budget_limit;

typedef struct budget_record {
  atomic_int struck;                   // budget_limit: the first one that told a computation to stop
  struct budget_record *whole;         // of the budget that this is a part of, or NULL
  _Atomic double end;                  // of a whole: when to stop although there is time (budget_keep_back); 0: not
} budget_record;

typedef struct budget {
  double start, seconds;       // seconds 0: no limit
  double whole;                // seconds that the user knows of, for the text
  size_t bytes;                // 0: no limit
  void (*watch) (void *state); // called whenever budget_spent is, to show that time goes by; NULL: nobody watches
  void *watch_state;
  budget_record own, *record;  // record: the one that counts, that of the budget this one is a copy of
  const struct budget *all;    // that it is a part of, or NULL
} budget;

// Evidence for a proof.  Zero means that there is none.
typedef struct completion { bool is_complete; } completion;

double budget_now (void);                        // monotonic seconds
void budget_start (budget *, double seconds, size_t bytes);
// So many seconds from now, but no more than `all` has left; 0: all that is left.  The part must not be moved, and `all` must outlive it.
void budget_part (budget *part, const budget *all, double seconds);
double budget_elapsed (const budget *);
double budget_left (const budget *);             // may be negative; 1e9 without limit
// NULL to go on, else why to stop: "time limit of 30 s", "memory limit of 4096 MB", "interrupted".  Cheap, but reads the clock.
// The text is the calling thread's, until it asks again.
const char *budget_spent (const budget *);
// So many seconds at the end of the whole budget are not for searching: what was begun shortly before them may take that long.
void budget_keep_back (const budget *, double seconds);
// A library was told to stop, because of a limit that budget_spent does not see.
void budget_strike (const budget *, budget_limit);
// Whether no computation under this budget, nor under what it is a part of, has been told to stop until now.
completion budget_completion (const budget *);
// This process ends when this budget does, without freeing its memory: then libraries need not be told to, which takes some of them seconds.
void budget_ends_process (const budget *);
bool budget_process_is_ending (void);
void budget_catch_interrupts (void);             // the first SIGINT, SIGTERM or SIGHUP stops the run, a second one kills
bool budget_interrupted (void);

#endif
