// Possible violations as goals: both call stacks, the locks held there, and what was taken after them.
#ifndef LOCKSTEP_LOCKS_REPORT_H
#define LOCKSTEP_LOCKS_REPORT_H

#include "engine/engine.h"
#include "engine/locks/deadlock.h"
#include "engine/locks/misuse.h"
#include "engine/locks/race.h"
#include "engine/locks/variable.h"
#include "engine/locks/witness.h"

typedef struct reporting {
  engine_run *run;
  variable_names names;
  witnesses witnesses;
  uint32_t num_races, num_deadlocks, num_misuses;
  strmap places;               // in user code, with the way of accessing -> number
  map numbers;                 // edge << 32 | context -> number of its place
  map pairs;                   // of places of one variable, that were reported
} reporting;

void reporting_init (reporting *, engine_run *, lock_analysis *);
void reporting_release (reporting *);
bool report_races (reporting *, access_table *, const possible_races *);  // the first ones of each variable, writes before reads; false: not all
void report_deadlock (reporting *, deadlocks *, const possible_deadlock *);
void report_misuse (reporting *, lock_analysis *, const possible_misuse *);

#endif
