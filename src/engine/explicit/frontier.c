// States that are not expanded yet, and their distribution to workers. A single worker takes one state at a time.
// Several workers take batches, and add the states that they have found when they come for the next batch. While the
// search is breadth first no worker begins a level before all have finished the previous one: the set of states of each
// level, and everything that depends on levels, is then the same for any number of workers.
#include "base/mutex.h"
#include "engine/explicit/explicit_search.h"

enum {
  BATCH_ROOM = 64,
  WIDE_LEVEL = 8,   // states; a smaller level is not worth waking other workers
  OLDEST_EVERY = 8  // a mixed search takes the oldest state every so many times
};

void frontier_init (frontier *f, search_order order) {
  *f = (frontier){.by_levels = order != DEPTH_FIRST};
  mutex_init (&f->mutex);
  pthread_cond_init (&f->changed, NULL);
}

void frontier_release (frontier *f) {
  vec_release (&f->states);
  pthread_mutex_destroy (&f->mutex);
  pthread_cond_destroy (&f->changed);
}

void frontier_push (state_search *s, state_id state) {
  if (s->shared->jobs == 1) vec_push (&s->shared->frontier.states, state);
  else vec_push (&s->found, state);
}

// Opens the next level if the current one is exhausted; returns false if --depth forbids it. Levels are exact as long
// as only the oldest states are taken.
static bool level_allowed (state_search *s) {
  frontier *f = &s->shared->frontier;
  uint64_t bound = s->run->task->depth;
  if (f->head < f->level_end) return true;
  if (bound && f->depth == bound) {
    s->cut = true;
    pthread_mutex_lock (&s->shared->reporting);
    verdict_add_bound (s->run->verdict, "depth %llu", (unsigned long long) bound);
    pthread_mutex_unlock (&s->shared->reporting);
    return false;
  }
  f->depth++;
  f->level_end = f->states.count;
  return true;
}

// Returns whether the search no longer goes level by level: a mixed search stops that in a large state space.
static bool levels_end (const state_search *s) {
  return s->shared->order == DEPTH_FIRST || (s->shared->order == MIXED && store_num_states (&s->store) > MIXED_FROM);
}

static bool takes_newest (const state_search *s) {
  return levels_end (s) && !(s->shared->order == MIXED && s->shared->frontier.taken % OLDEST_EVERY == 0);
}

// ---- one worker ---------------------------------------------------------------------------------------
static bool take_next_state (state_search *s, state_id *state) {
  frontier *f = &s->shared->frontier;
  if (f->head >= f->states.count) return false;
  f->taken++;
  if (takes_newest (s)) {
    *state = vec_pop (&f->states);
    // all states stored after it have been expanded
    if (s->shared->tables.bits.words) store_forget_after (&s->store, *state);
  } else if (level_allowed (s)) *state = f->states.data[f->head++];
  else return false;
  s->level = levels_end (s) ? NO_LEVEL : f->depth;
  return true;
}

// ---- several workers ----------------------------------------------------------------------------------
static uint32_t num_waiting (const frontier *f) { return (f->by_levels ? f->level_end : f->states.count) - f->head; }

static void publish_found_states (state_search *s) {
  frontier *f = &s->shared->frontier;
  store_tell (&s->store);
  for (uint32_t k = 0; k < s->found.count; k++) vec_push (&f->states, s->found.data[k]);
  vec_clear (&s->found);
}

// All workers are idle and no state is available: opens the next level, or ends the search.
static void open_level (state_search *s) {
  frontier *f = &s->shared->frontier;
  if (!f->by_levels || f->head == f->states.count || !level_allowed (s)) f->done = true;
  else if (levels_end (s)) f->by_levels = false;
  if (f->done || num_waiting (f) >= WIDE_LEVEL) pthread_cond_broadcast (&f->changed);
}

// The worker takes states from the end of its batch.
static void fill_batch (state_search *s) {
  frontier *f = &s->shared->frontier;
  uint32_t count = num_waiting (f) / (2 * s->shared->jobs) + 1;
  if (count > BATCH_ROOM) count = BATCH_ROOM;
  f->taken++;
  bool newest = !f->by_levels && takes_newest (s);
  for (uint32_t k = 0; k < count; k++)
    vec_push (&s->batch, f->states.data[newest ? f->states.count - count + k : f->head + count - 1 - k]);
  if (newest) f->states.count -= count;
  else f->head += count;
  s->level = f->by_levels ? f->depth : NO_LEVEL;
  if (f->idle && num_waiting (f) >= WIDE_LEVEL) pthread_cond_broadcast (&f->changed);
}

static bool take_batch (state_search *s) {
  search_shared *h = s->shared;
  frontier *f = &h->frontier;
  pthread_mutex_lock (&f->mutex);
  publish_found_states (s);
  f->idle++;
  while (!h->stopped && !f->done && !num_waiting (f)) {
    if (f->idle == h->jobs) open_level (s);
    else pthread_cond_wait (&f->changed, &f->mutex);
  }
  f->idle--;
  bool any = !h->stopped && !f->done;
  if (any) fill_batch (s);
  pthread_mutex_unlock (&f->mutex);
  return any;
}

void frontier_wake (state_search *s) {
  frontier *f = &s->shared->frontier;
  pthread_mutex_lock (&f->mutex);
  pthread_cond_broadcast (&f->changed);
  pthread_mutex_unlock (&f->mutex);
}

bool frontier_next (state_search *s, state_id *state) {
  if (s->shared->jobs == 1) return take_next_state (s, state);
  if (!s->batch.count && !take_batch (s)) return false;
  *state = vec_pop (&s->batch);
  return true;
}
