// What protects each variable that several threads may use at the same time.
#ifndef LOCKSTEP_LOCKS_PROTECTION_H
#define LOCKSTEP_LOCKS_PROTECTION_H

#include "engine/locks/race.h"
#include "engine/locks/variable.h"
#include "verdict/verdict.h"

// `complete`: all pairs of accesses were looked at, and `found` are those that may meet.
void add_protections (verdict *, access_table *, const variable_names *, const possible_races *found, bool complete);

#endif
