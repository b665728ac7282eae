// Results for people.  Files in reading order:
//   variable_name       names of memory
//   protection          what protects each shared variable
//   lock_graph          the lock order graph
//   thread_path         a path of a thread to where it stands
//   interleave          an interleaving of the paths of several threads
//   example_run         how a possible violation may come about
//   lock_goals          possible violations as goals of the verdict
//   reach_pair          --reach-pair
#ifndef LOCKSTEP_LOCKS_SHOW_H
#define LOCKSTEP_LOCKS_SHOW_H

#include "engine/engine.h"
#include "engine/locks/checks/checks.h"

// ---- variable_name.c ------------------------------------------------------------------------------------------------
typedef struct variable_names {
  const lock_analysis *analysis;
  map sites;                   // abstract object -> edge that allocates it
} variable_names;

void variable_names_init (variable_names *, const lock_analysis *);
void variable_names_release (variable_names *);

// ---- protection.c ---------------------------------------------------------------------------------------------------
// Adds what protects each variable that several threads may use in parallel.  `complete`: `found` has all races.
void add_protections (verdict *, access_table *, const variable_names *, const possible_races *found, bool complete);

// ---- lock_graph.c ---------------------------------------------------------------------------------------------------
// Adds the lock order graph: each pair of a held lock and one that is waited for once, with one place.
void add_lock_graph (verdict *, lock_analysis *);

// ---- thread_path.c --------------------------------------------------------------------------------------------------
typedef struct path_finder {
  lock_analysis *analysis;
  map creations;               // edge -> index into reaches
  VEC (bool *) reaches;        // [procedure]: it, or a callee, may create the thread
} path_finder;

// ---- example_run.c --------------------------------------------------------------------------------------------------
typedef struct witnesses {
  lock_analysis *analysis;
  verdict *verdict;
  path_finder finder;
  uint32_t num_steps;          // of all interleavings so far
} witnesses;

// ---- lock_goals.c ---------------------------------------------------------------------------------------------------
// Possible violations as goals: call stacks, held locks with their acquisition histories, an interleaving.
typedef struct reporting {
  engine_run *run;
  variable_names names;
  witnesses witnesses;
  uint32_t num_races, num_deadlocks, num_misuses;
  strmap places;               // position in user code with read, write or free -> number
  map numbers;                 // edge << 32 | context -> number of its place
  map pairs;                   // pairs of places of one variable that were reported
} reporting;

void reporting_init (reporting *, engine_run *, lock_analysis *);
void reporting_release (reporting *);
bool report_races (reporting *, access_table *, const possible_races *);  // false: not all are listed
void report_deadlock (reporting *, deadlocks *, const possible_deadlock *);
void report_misuse (reporting *, lock_analysis *, const possible_misuse *);

// ---- reach_pair.c ---------------------------------------------------------------------------------------------------
// --reach-pair: can two threads be at the two places in parallel, as far as locks, creation and joining tell (LOCK
// section 3)?  Adds a goal for each pair of places that may be reached; a line may be several places.  The result says
// why the question is open, in the verdict's arena; NULL: proved that it cannot happen.
const reason *check_reach_pair (engine_run *, lock_analysis *);

#endif
