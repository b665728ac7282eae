// The workers of a search: one in the current thread, or several in threads of their own. A worker thread that runs out
// of memory cannot jump back to where the search began, because that is another thread's stack: it releases what it
// holds and ends, the other workers stop, and the thread that waits for all of them jumps.
#include <setjmp.h>

#include "base/mutex.h"
#include "engine/explicit/explicit_options.h"
#include "engine/explicit/explicit_reduce.h"

enum { STACK_BYTES = 16 << 20 };

// ---- life cycle ---------------------------------------------------------------------------------------
void workers_init (search_shared *h) {
  code_init (&h->code, h->run->program);
  store_tables_init (&h->tables, h->jobs > 1);
  uint64_t bits = explicit_options_of (h->run->task)->bitstate;
  if (bits) store_use_bits (&h->tables, bits);
  position_names_init (&h->names);
  frontier_init (&h->frontier, h->order);
  mutex_init (&h->reporting);
  h->workers = mem_zalloc (sizeof *h->workers * h->jobs);
  for (uint32_t k = 0; k < h->jobs; k++) {
    h->workers[k] = (state_search){.run = h->run, .shared = h, .busy_waiting = IR_NONE};
    store_init (&h->workers[k].store, &h->tables);
  }
}

static void release_worker (state_search *s) {
  reducer_free (s->reducer);
  protect_release (&s->protections);
  xs_state_release (&s->current);
  store_release (&s->store);
  cache_free (s->cache);
  vec_release (&s->batch);
  vec_release (&s->found);
  vec_release (&s->successors);
  vec_release (&s->successor_ids);
  map_release (&s->claimed);
}

void workers_release (search_shared *h) {
  for (uint32_t k = 0; k < h->jobs; k++) release_worker (&h->workers[k]);
  mem_free (h->workers, sizeof *h->workers * h->jobs);
  store_tables_release (&h->tables);
  position_names_release (&h->names);
  frontier_release (&h->frontier);
  pthread_mutex_destroy (&h->reporting);
  code_release (&h->code);
  vec_release (&h->initial);
  map_release (&h->reported);
  map_release (&h->conditional);
  map_release (&h->tried);
}

// ---- work ---------------------------------------------------------------------------------------------
typedef struct search_worker {
  state_search *search;
  void (*prepare) (state_search *);
  pthread_t thread;
  bool exhausted;
} search_worker;

static void run_worker (state_search *s, void (*prepare) (state_search *)) {
  search_shared *h = s->shared;
  xs_state_init (&s->current, &h->code, &h->run->task->semantics, &s->store, &h->names);
  uint8_t *reached = verdict_reached (h->run->verdict, h->run->program);
  if (reached) s->current.reached = reached;
  s->cache = cache_new (h->jobs);
  prepare (s);
  if (s == h->workers) search_begin (s);
  search_work (s);
}

static _Noreturn void jump_to_worker (void *state) { longjmp (*(jmp_buf *) state, 1); }

static void abandon_worker (state_search *s) {
  search_shared *h = s->shared;
  store_abandon (&s->store);
  pthread_mutex_unlock (&h->names.mutex);
  pthread_mutex_unlock (&h->reporting);
  pthread_mutex_unlock (&h->frontier.mutex);
  search_stop (s, &reason_out_of_memory);
}

static void *work_in_thread (void *state) {
  search_worker *w = state;
  jmp_buf back;
  if (setjmp (back) == 0) {
    mem_set_exhausted_handler (jump_to_worker, &back);
    run_worker (w->search, w->prepare);
  } else {
    w->exhausted = true;
    abandon_worker (w->search);
  }
  mem_set_exhausted_handler (NULL, NULL);
  frontier_wake (w->search);
  return NULL;
}

// Starts the threads; returns how many could be started.
static uint32_t start_threads (search_worker *workers, uint32_t count) {
  pthread_attr_t attributes;
  uint32_t started = 0;
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, STACK_BYTES);
  while (started < count && !pthread_create (&workers[started].thread, &attributes, work_in_thread, &workers[started]))
    started++;
  pthread_attr_destroy (&attributes);
  return started;
}

static void run_in_threads (search_shared *h, void (*prepare) (state_search *)) {
  search_worker *workers = mem_zalloc (sizeof *workers * h->jobs);
  for (uint32_t k = 0; k < h->jobs; k++) workers[k] = (search_worker){.search = &h->workers[k], .prepare = prepare};
  uint32_t started = start_threads (workers, h->jobs);
  bool exhausted = started < h->jobs;
  if (exhausted) {
    search_stop (&h->workers[started], &reason_out_of_memory);
    frontier_wake (&h->workers[started]);
  }
  for (uint32_t k = 0; k < started; k++) {
    pthread_join (workers[k].thread, NULL);
    exhausted |= workers[k].exhausted;
  }
  mem_free (workers, sizeof *workers * h->jobs);
  if (exhausted) mem_exhausted ();
}

void workers_run (search_shared *h, void (*prepare) (state_search *)) {
  if (h->jobs == 1) run_worker (&h->workers[0], prepare);
  else run_in_threads (h, prepare);
}

// ---- results ------------------------------------------------------------------------------------------
static void add_reduction_counts (explicit_reduction_counts *all, const explicit_reduction_counts *more) {
  all->sets += more->sets;
  all->set_threads += more->set_threads;
  all->enabled_threads += more->enabled_threads;
  all->transactions += more->transactions;
  all->steps += more->steps;
  all->pruned_unsafe += more->pruned_unsafe;
  all->symmetric += more->symmetric;
}

static void add_worker (state_search *all, const state_search *s) {
  all->transitions += s->transitions;
  all->cached += s->cached;
  all->current.instructions += s->current.instructions;
  all->current.foreign_release |= s->current.foreign_release;
  all->cut |= s->cut;
  if (!all->unsupported) all->unsupported = s->unsupported;
  if (all->busy_waiting == IR_NONE) all->busy_waiting = s->busy_waiting;
  if (s->reducer) add_reduction_counts (&all->reducer->counts, &s->reducer->counts);
  protect_merge (&all->protections, &s->protections);
}

state_search *workers_merge (search_shared *h) {
  state_search *all = &h->workers[0];
  for (uint32_t k = 0; k < h->jobs; k++) store_tell (&h->workers[k].store);
  for (uint32_t k = 1; k < h->jobs; k++) add_worker (all, &h->workers[k]);
  all->stopped = h->stopped;
  return all;
}
