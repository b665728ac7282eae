// A thread that holds a lock l acquired it, the last time, after every other thread that has ever acquired l.  So if
// another thread acquired l after a lock k that it still holds, then k was acquired, the last time, before l.  Three
// threads that hold a, b and c and have acquired b, c and a since then are consistent in pairs, but the order "before"
// has a cycle.
#include "base/limits.h"
#include "engine/locks/parallel/parallel.h"

typedef struct acquisition {
  uint32_t thread, use, history;
  bool open, done;
} acquisition;  // open: on the way being followed
typedef struct timeline {
  const locksets *g;
  uint32_t count;
  acquisition of[LIMIT_LOCK_CYCLE_LENGTH * LIMIT_LOCKS_HELD];
} timeline;

// Is the acquisition on a cycle of the order "before"?
static bool is_on_before_cycle (timeline *t, uint32_t at) {
  acquisition *x = &t->of[at];
  if (x->open || x->done) return x->open;
  x->open = true;
  for (uint32_t k = 0; k < t->count; k++) {
    bool before = t->of[k].thread != x->thread &&
                  uses_of_set_exclude (&t->g->analysis->effects.sets, x->history, (lock_use){t->of[k].use});
    if (before && is_on_before_cycle (t, k)) return true;
  }
  x->open = false;
  x->done = true;
  return false;
}

bool locksets_all_compatible (const locksets *g, const uint32_t *numbers, uint32_t count) {
  timeline t = {.g = g};
  for (uint32_t k = 0; k < count && k < LIMIT_LOCK_CYCLE_LENGTH; k++) {
    lockset x;
    lockset_load (g, numbers[k], &x);
    for (uint32_t i = 0; i < x.num_locks; i++)
      t.of[t.count++] = (acquisition){.thread = k, .use = x.locks[i].use, .history = x.locks[i].history};
  }
  for (uint32_t k = 0; k < t.count; k++)
    if (is_on_before_cycle (&t, k)) return false;
  return true;
}
