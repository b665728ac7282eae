// The search over stored states: private to search.c, frontier.c, examine.c, path.c, explicit.c and the reductions.
//
//   explicit.c: one worker here, or several in threads of their own (workers.c)
//        each worker: frontier_next -> expand (search.c, reduce.c) -> examine.c (claims) -> frontier_push
#ifndef LOCKSTEP_EXPLICIT_SEARCH_H
#define LOCKSTEP_EXPLICIT_SEARCH_H

#include "engine/explicit/protect.h"

// MIXED begins breadth first, for short traces; in a large space it takes mostly the newest and now and then the oldest state, because most
// bugs there lie deep.
typedef enum search_order { BREADTH_FIRST, DEPTH_FIRST, MIXED } search_order;
enum { MIXED_FROM = 20000 /* states */, WORKER_ROOM = 128 };
#define NO_LEVEL UINT64_MAX

// States not yet expanded.  As long as the search is breadth first, several workers go from level to level together.
typedef struct frontier {
  VEC (state_id) states;       // from `head` on, oldest first
  uint32_t head, level_end;    // the current level of a breadth-first search ends there
  uint64_t depth;              // of that level
  uint64_t taken;              // states, or batches of several workers, taken
  bool by_levels;              // several workers: nobody takes from the next level yet
  bool done;
  uint32_t idle;               // workers that wait for something to take
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} frontier;

// The visited states do not fit into the cache.  Successors are collected first, while their places in the table are
// fetched, and looked up when the whole state has been expanded.
typedef struct successor { uint64_t hash; uint32_t first, count; } successor;  // ids in search->successor_ids

typedef struct step_cache step_cache;
step_cache *cache_new (uint32_t workers);  // that share the memory for caches
void cache_free (step_cache *);
// The writes (pairs of position and id) of a step of this thread seen before in a state with the same ids where it read; NULL: none.
const uint32_t *cache_find (const step_cache *, uint32_t slot, uint32_t position, const uint32_t *ids, uint32_t count, uint32_t *num_writes);
void cache_add (step_cache *, const world *, uint32_t slot, const uint32_t *ids, uint32_t count);

typedef struct reducer reducer;

typedef struct search search;

// What all workers of a search have in common.
typedef struct search_shared {
  engine_run *run;
  code code;
  store_tables tables;
  position_names names;
  search_order order;
  bool trust_locks;            // lock patterns may be used
  search *workers;             // [0..jobs[
  uint32_t jobs;
  VEC (uint32_t) initial;      // ids of the state the program starts in
  frontier frontier;
  pthread_mutex_t reporting;   // for `reported` and the verdict
  map reported;                // violations already claimed, by place -> level
  map conditional;             // of them those that rested on invented values -> how often; under `reporting`
  volatile uint32_t num_conditional;  // its entries
  map tried;                   // executions that have shown them, by hash: steps may be executed more than once
  _Atomic uint32_t num_reported, bugs, states_at_last_bug;
  uint32_t not_replayed;       // claims; the search goes on, for what else it finds is confirmed one by one
  _Atomic (const reason *) stopped;  // why the search ended early, or NULL
  _Atomic double next_progress;
} search_shared;

// One worker.
struct search {
  engine_run *run;
  search_shared *shared;
  store store;
  world world;
  VEC (state_id) batch, found; // several workers: taken from the frontier, and to be put there
  uint64_t level;              // of the state being expanded, NO_LEVEL: the search is no longer breadth first
  VEC (successor) successors;  // of the state being expanded; looked up together
  VEC (uint32_t) successor_ids;
  reducer *reducer;            // NULL: every interleaving is taken
  step_cache *cache;
  uint64_t cached;             // transitions that did not have to be executed
  uint64_t transitions;
  protect protections;         // which locks were held where, for the report
  map claimed;                 // what it knows of shared->reported
  uint64_t claiming;           // the place of the claim being made
  uint32_t claims_seen;        // entries there that it has read
  const reason *stopped;       // shared->stopped, when it last looked
  const reason *unsupported;   // why executions ended that the program may continue, or NULL
  uint32_t spinning;           // edge where a thread may spin for ever, or IR_NONE
  bool cut;                    // some execution was cut by a bound
};

void search_begin (search *);                            // the first states; one worker does this
void search_work (search *);                             // until there is nothing left or the search is stopped
void search_stop (search *, const reason *);             // for all workers; it must last
void search_reload (search *, state_id);                 // the world is at the state; IR_NONE: where the program starts
void search_add_successor (search *, state_id);
void search_add_root (search *, state_id);
bool search_expands_fully (const search *, state_id);    // some way to it has come round, so no thread may be put off
void search_examine_spin (search *, state_id, const uint32_t *enabled, uint32_t num_enabled);  // it leads nowhere new
void search_reopen (search *, state_id);                 // it is expanded again
void search_check_limits (search *);                     // sets `stopped` when a budget is spent
// workers.c
void workers_init (search_shared *);                     // run, order, jobs and trust_locks are set
void workers_release (search_shared *);
void workers_run (search_shared *, void (*prepare) (search *));  // prepare: gives a worker, whose world is ready, its reducer
search *workers_merge (search_shared *);                 // the first one, with what all have counted and met
// frontier.c
void frontier_init (frontier *, search_order);
void frontier_release (frontier *);
void frontier_push (search *, state_id);
bool frontier_next (search *, state_id *);               // false: nothing is left, for anybody
void frontier_wake (search *);                           // those who wait look whether the search has been stopped
// examine.c
void search_examine (search *, state_id);                // races and blocked threads of the state, where the world is
void search_claim_violations (search *, state_id);       // what the step from the state has noted
void search_note_result (search *, state_id, step_result);
void search_claim_deadlock (search *, state_id, const uint32_t *slots, uint32_t count);  // IR_NONE: where the step from the start has led
void search_learn_claims (search *);                     // of the other workers
bool search_race_claimed (const search *, uint32_t edge, uint32_t other_edge);
// The same for what others may rely on: in a breadth-first search only what was claimed in an earlier level, so that it does not matter
// which states of a level are expanded first.
bool search_check_known (const search *, ir_property, uint32_t edge);
bool search_race_known (const search *, uint32_t edge, uint32_t other_edge);
// One of the threads if all that can step wait busily, for something nobody will change; else IR_NONE.  The world must be at the
// state, and is left elsewhere.
uint32_t spin_endless (search *, state_id, const uint32_t *enabled, uint32_t num_enabled);
// The schedule from the start to a state.  The world is left elsewhere.
void path_to (search *, state_id state, schedule *);
void path_append_step (const world *, schedule *);       // what the step being executed has done so far

#endif
