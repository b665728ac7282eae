// What the files of the team share: team.c starts engines, listens to them and makes one verdict of their answers;
// team_schedule.c decides which engine starts when, and how long it may take.
#ifndef LOCKSTEP_TEAM_IMPL_H
#define LOCKSTEP_TEAM_IMPL_H

#include "engine/auto/team.h"

// The slice of time that a worker was given.
typedef struct given_slice {
  double begin, seconds;
  bool is_heard;        // the worker has ended, and what it has proved is counted
  bool is_exhausted;    // it stopped before half of its slice
} given_slice;

typedef struct team {
  engine_run *run;
  uint32_t properties;  // requested properties
  uint32_t proved;      // those of `properties` that are proved
  VEC (worker *) list;  // all workers that were started
  VEC (given_slice) slices;   // by worker
} team;

// ---- team.c ----
bool team_has_violation (const team *);                 // of a requested property
uint32_t team_asks (const team *);                      // the properties that are open
void team_start (team *, const engine *, worker_share);
// Waits until at most so many workers run, or so many seconds have gone by, or the question is settled.  True: it
// is settled.
bool team_wait (team *, uint32_t most_running, double seconds);

// ---- team_schedule.c ----
// Returns when the question is settled, the time is up, or no engine has more to try.
void team_work_off (team *, uint64_t jobs);

#endif
