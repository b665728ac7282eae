// The search over stored states: private to search.c, path.c and explicit.c.
#ifndef LOCKSTEP_EXPLICIT_SEARCH_H
#define LOCKSTEP_EXPLICIT_SEARCH_H

#include "engine/explicit/explicit_impl.h"

typedef struct search {
  engine_run *run;
  code code;
  store store;
  world world;
  bool breadth_first;
  VEC (state_id) frontier;     // states not yet expanded; breadth first: from `head` on
  uint32_t head, level_end;
  uint64_t depth;              // breadth first: level being expanded
  map reported;                // violations already claimed, by place
  uint64_t transitions, bugs, states_at_last_bug;
  const char *stopped;         // why the search ended early, or NULL
  const char *unsupported;     // why executions ended that the program may continue, or NULL
  bool cut;                    // some execution was cut by a bound
  double next_progress;
} search;

void search_run (search *);
// The schedule from the start to a state.  The world is left elsewhere.
void path_to (search *, state_id state, schedule *);

#endif
