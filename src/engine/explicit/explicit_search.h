// The search over stored states: private to explicit_search.c, frontier.c, examine.c, explicit_path.c, explicit.c and
// the reductions.
//
//   explicit.c: one worker here, or several in threads of their own (workers.c)
//        each worker: frontier_next -> expand (explicit_search.c, explicit_reduce.c) -> examine.c (claims)
//                     -> frontier_push
#ifndef LOCKSTEP_EXPLICIT_SEARCH_H
#define LOCKSTEP_EXPLICIT_SEARCH_H

#include "engine/explicit/protect.h"

// MIXED begins breadth first, for short traces; in a large state space it mostly takes the newest state and now and
// then the oldest, because most bugs there lie deep.
typedef enum search_order { BREADTH_FIRST, DEPTH_FIRST, MIXED } search_order;
enum { MIXED_FROM = 20000 /* states */, WORKER_ROOM = 128 };
#define NO_LEVEL UINT64_MAX

// States not yet expanded.  As long as the search is breadth first, several workers go from level to level together.
typedef struct frontier {
  VEC (state_id) states;       // from `head` on, oldest first
  uint32_t head, level_end;    // end of the current level of a breadth-first search
  uint64_t depth;              // depth of that level
  uint64_t taken;              // states, or batches of several workers, taken
  bool by_levels;              // several workers: no worker takes from the next level yet
  bool done;
  uint32_t idle;               // workers that wait for states
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} frontier;

// The visited states do not fit into the processor's cache. Successors are collected first, while their slots in the
// table are prefetched, and looked up when the whole state has been expanded.
typedef struct successor { uint64_t hash; uint32_t first, count; } successor;  // ids in search->successor_ids

typedef struct step_cache step_cache;
step_cache *cache_new (uint32_t workers);  // `workers`: number of workers that share the memory for caches
void cache_free (step_cache *);
// Returns the writes (pairs of position and id) of a step that this thread took in a state with the same ids at the
// positions it reads; NULL: none is cached.
const uint32_t *cache_find (const step_cache *, uint32_t slot, uint32_t position, const uint32_t *ids, uint32_t count,
                            uint32_t *num_writes);
void cache_add (step_cache *, const current_state *, uint32_t slot, const uint32_t *ids, uint32_t count);

typedef struct state_reducer state_reducer;

typedef struct state_search state_search;

// What all workers of a search share.
typedef struct search_shared {
  engine_run *run;
  code code;
  store_tables tables;
  position_names names;
  search_order order;
  bool trust_locks;            // lock patterns may be used
  state_search *workers;       // [0..jobs[
  uint32_t jobs;
  VEC (uint32_t) initial;      // ids of the initial state
  frontier frontier;
  pthread_mutex_t reporting;   // for `reported` and the verdict
  map reported;                // violations already claimed: key -> level
  map conditional;  // claims that needed invented values: key -> number of executions tried; under `reporting`
  volatile uint32_t num_conditional;  // number of its entries
  map tried;                   // executions claimed for them, by hash: steps may be executed more than once
  _Atomic uint32_t num_reported, bugs, states_at_last_bug;
  // claims that did not replay; the search continues, because every other claim is replayed, too
  uint32_t not_replayed;
  _Atomic (const reason *) stopped;  // why the search ended early, or NULL
  _Atomic double next_progress;
} search_shared;

// One worker.
struct state_search {
  engine_run *run;
  search_shared *shared;
  store store;
  current_state current;
  VEC (state_id) batch, found;  // several workers: states taken from the frontier, and states to be added to it
  uint64_t level;              // level of the state being expanded; NO_LEVEL: the search is no longer breadth first
  VEC (successor) successors;  // successors of the state being expanded; looked up together
  VEC (uint32_t) successor_ids;
  state_reducer *reducer;      // NULL: every interleaving is explored
  step_cache *cache;
  uint64_t cached;             // transitions taken from the cache
  uint64_t transitions;
  protect protections;         // locks held at accesses, for the report
  map claimed;                 // copy of shared->reported, as far as this worker has read it
  uint64_t claiming;           // key of the claim being made
  uint32_t claims_seen;        // number of entries of shared->reported that it has read
  const reason *stopped;       // copy of shared->stopped
  const reason *unsupported;   // why executions ended although the program may continue, or NULL
  uint32_t busy_waiting;       // edge where a thread may wait busily for ever, or IR_NONE
  bool cut;                    // some execution was cut by a bound
};

static inline bool search_checks (const state_search *s, ir_property p) {  // the property is to be checked
  return s->run->task->semantics.properties >> p & 1;
}
void search_begin (state_search *);                            // adds the first states; one worker calls it
// expands states until none is left or the search is stopped
void search_work (state_search *);
void search_stop (state_search *, const reason *);             // stops all workers; the reason must outlive the search
// Makes the state the current one; IR_NONE: the initial state
void search_reload (state_search *, state_id);
void search_add_successor (state_search *, state_id);
void search_add_root (state_search *, state_id);
bool search_expands_fully (const state_search *, state_id);    // a sticky jump led to it, so no thread may be left out
// The state has no new successor
void search_examine_busy_wait (state_search *, state_id, const uint32_t *enabled, uint32_t num_enabled);
void search_reopen (state_search *, state_id);                 // the state is to be expanded again
void search_check_limits (state_search *);                     // sets `stopped` if a budget is spent
// workers.c
void workers_init (search_shared *);                     // run, order, jobs and trust_locks must be set
void workers_release (search_shared *);
// prepare: gives an initialised worker its reducer
void workers_run (search_shared *, void (*prepare) (state_search *));
// Returns the first one, with the counts and facts of all
state_search *workers_merge (search_shared *);
// frontier.c
void frontier_init (frontier *, search_order);
void frontier_release (frontier *);
void frontier_push (state_search *, state_id);
bool frontier_next (state_search *, state_id *);               // returns false if no state is left for any worker
// waiting workers check whether the search has been stopped
void frontier_wake (state_search *);
// examine.c
// claims races and blocked threads of the current state, which must be the given one
void search_examine (state_search *, state_id);
// claims the violations recorded by the step from the state
void search_claim_violations (state_search *, state_id);
void search_note_result (state_search *, state_id, step_result);
// IR_NONE: the state that the step from the initial state has reached
void search_claim_deadlock (state_search *, state_id, const uint32_t *slots, uint32_t count);
void search_learn_claims (state_search *);                     // reads the claims of the other workers
bool search_race_claimed (const state_search *, uint32_t edge, uint32_t other_edge);
// The same for decisions that must not depend on timing: in a breadth-first search only claims of earlier levels count,
// so that it does not matter which states of a level are expanded first.
bool search_check_known (const state_search *, ir_property, uint32_t edge);
bool search_race_known (const state_search *, uint32_t edge, uint32_t other_edge);
// Returns one of the enabled threads if all of them wait busily for something that no thread will change; otherwise
// IR_NONE. The current state must be the given one; it is changed.
uint32_t busy_wait_endless (state_search *, state_id, const uint32_t *enabled, uint32_t num_enabled);
// Appends the schedule from the initial state to a state. The current state is changed.
void path_to (state_search *, state_id state, schedule *);
void path_append_step (const current_state *, schedule *);       // appends the executed part of the current step

#endif
