// The search over stored states: private to search.c, path.c and explicit.c.
#ifndef LOCKSTEP_EXPLICIT_SEARCH_H
#define LOCKSTEP_EXPLICIT_SEARCH_H

#include "engine/explicit/explicit_impl.h"

// MIXED begins breadth first, for short traces; in a large space it takes mostly the newest and now and then the oldest state, because most
// bugs there lie deep.
typedef enum search_order { BREADTH_FIRST, DEPTH_FIRST, MIXED } search_order;
enum { MIXED_FROM = 20000 /* states */ };

// The visited states do not fit into the cache.  Successors are collected first, while their places in the table are
// fetched, and looked up when the whole state has been expanded.
typedef struct successor { uint64_t hash; uint32_t first, count; } successor;  // ids in search->successor_ids

typedef struct step_cache step_cache;
step_cache *cache_new (void);
void cache_free (step_cache *);
// The writes (pairs of position and id) of a step of this thread seen before in a state with the same ids where it read; NULL: none.
const uint32_t *cache_find (const step_cache *, uint32_t slot, uint32_t position, const uint32_t *ids, uint32_t count, uint32_t *num_writes);
void cache_add (step_cache *, const world *, uint32_t slot, const uint32_t *ids, uint32_t count);

typedef struct reducer reducer;

typedef struct search {
  engine_run *run;
  code code;
  store store;
  world world;
  search_order order;
  VEC (uint32_t) initial;      // ids of the state the program starts in
  VEC (state_id) frontier;     // states not yet expanded, from `head` on, oldest first
  uint32_t head, level_end;    // the current level of a breadth-first search ends there
  uint64_t depth;              // of that level
  uint64_t taken;              // states taken from the frontier
  VEC (successor) successors;  // of the state being expanded; looked up together
  VEC (uint32_t) successor_ids;
  reducer *reducer;            // NULL: every interleaving is taken
  step_cache *cache;
  uint64_t cached;             // transitions that did not have to be executed
  map reported;                // violations already claimed, by place
  uint64_t transitions, bugs, states_at_last_bug;
  const char *stopped;         // why the search ended early, or NULL
  const char *unsupported;     // why executions ended that the program may continue, or NULL
  uint32_t spinning;           // edge where a thread may spin for ever, or IR_NONE
  bool cut;                    // some execution was cut by a bound
  double next_progress;
} search;

void search_run (search *);
void search_reload (search *, state_id);                 // the world is at the state; IR_NONE: where the program starts
void search_add_successor (search *, state_id);
void search_examine_spin (search *, state_id, const uint32_t *enabled, uint32_t num_enabled);  // it leads nowhere new
void search_reopen (search *, state_id);                 // it is expanded again
void search_check_limits (search *);                     // sets `stopped` when a budget is spent
// examine.c
void search_examine (search *, state_id);                // races and blocked threads of the state, where the world is
void search_claim_violations (search *, state_id);       // what the step from the state has noted
void search_note_result (search *, state_id, step_result);
bool search_check_known (const search *, ir_property, uint32_t edge);
bool search_race_known (const search *, uint32_t edge, uint32_t other_edge);
// One of the threads if all that can step wait busily, for something nobody will change; else IR_NONE.  The world must be at the
// state, and is left elsewhere.
uint32_t spin_endless (search *, state_id, const uint32_t *enabled, uint32_t num_enabled);
// The schedule from the start to a state.  The world is left elsewhere.
void path_to (search *, state_id state, schedule *);

#endif
