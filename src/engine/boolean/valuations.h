// The values of all global variables along the path to a state of the search: of one of the executions that it stands
// for.
#ifndef LOCKSTEP_BOOLEAN_VALUATIONS_H
#define LOCKSTEP_BOOLEAN_VALUATIONS_H

#include "engine/boolean/symbolic_search.h"

typedef struct valuations {
  VEC (uint32_t) states;       // states on the path, the initial one first
  VEC (bool) values;           // [state on the path * num_globals + number of the global]
  uint32_t num_globals;
} valuations;
bool valuations_find (valuations *, const symbolic_search *, uint32_t at);   // false: a solver gave up
void valuations_release (valuations *);

#endif
