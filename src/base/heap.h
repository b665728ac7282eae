// Heap: a priority queue of small numbers, ordered by a score for each. All zero is the empty heap.
//
//   heap h = {0};
//   heap_grow (&h, 10);                 // numbers 0..9 may be inserted; their scores are 0
//   heap_insert (&h, 7);
//   heap_raise (&h, 7, 2.5);            // whether it is inside or not
//   while (h.count) use (heap_take (&h));
//   heap_release (&h);
//
// It is a binary heap that knows the place of each number, so that a score can be raised in logarithmic time. The order
// of numbers with equal scores depends on the history of calls and on nothing else: breaking ties by number would
// make each insertion climb among equals. All functions are inline: the SAT solver calls them millions of times a
// second.
#ifndef LOCKSTEP_HEAP_H
#define LOCKSTEP_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum { HEAP_OUTSIDE = UINT32_MAX };

typedef struct heap {
  uint32_t *data;              // [0..count[, each not below its two children at 2 * i + 1 and 2 * i + 2
  uint32_t count, capacity;
  VEC (uint32_t) place;        // of each number in data, or HEAP_OUTSIDE
  VEC (double) score;          // of each number
} heap;

static inline void heap_grow (heap *h, uint32_t numbers) {
  vec_reserve (h, numbers);
  while (h->place.count < numbers) {
    vec_push (&h->place, (uint32_t) HEAP_OUTSIDE);
    vec_push (&h->score, 0.0);
  }
}

static inline void heap_release (heap *h) {
  vec_release (h);
  vec_release (&h->place);
  vec_release (&h->score);
}

static inline bool heap_has (const heap *h, uint32_t number) {
  return h->place.data[number] != (uint32_t) HEAP_OUTSIDE;
}
static inline double heap_score (const heap *h, uint32_t number) { return h->score.data[number]; }
static inline uint32_t heap_best (const heap *h) { return h->data[0]; }  // of one that is not empty

static inline bool heap_above (const heap *h, uint32_t a, uint32_t b) { return h->score.data[a] > h->score.data[b]; }

static inline void heap_put (heap *h, uint32_t number, uint32_t at) {
  h->data[at] = number;
  h->place.data[number] = at;
}

static inline void heap_up (heap *h, uint32_t at) {
  uint32_t number = h->data[at];
  for (uint32_t above; at && heap_above (h, number, h->data[above = (at - 1) / 2]); at = above)
    heap_put (h, h->data[above], at);
  heap_put (h, number, at);
}

static inline void heap_down (heap *h, uint32_t at) {
  uint32_t number = h->data[at], child;
  for (; (child = 2 * at + 1) < h->count; at = child) {
    if (child + 1 < h->count && heap_above (h, h->data[child + 1], h->data[child])) child++;
    if (!heap_above (h, h->data[child], number)) break;
    heap_put (h, h->data[child], at);
  }
  heap_put (h, number, at);
}

static inline void heap_insert (heap *h, uint32_t number) {  // nothing happens if it is inside
  if (heap_has (h, number)) return;
  heap_put (h, number, h->count++);
  heap_up (h, h->count - 1);
}

static inline uint32_t heap_take (heap *h) {
  uint32_t best = h->data[0], last = h->data[--h->count];
  h->place.data[best] = HEAP_OUTSIDE;
  if (!h->count) return best;
  heap_put (h, last, 0);
  heap_down (h, 0);
  return best;
}

static inline void heap_raise (heap *h, uint32_t number, double score) {  // not below the score it has
  h->score.data[number] = score;
  if (heap_has (h, number)) heap_up (h, h->place.data[number]);
}

static inline void heap_scale (heap *h, double factor) {  // all scores; factor > 0
  for (uint32_t i = 0; i < h->score.count; i++) h->score.data[i] *= factor;
}

#endif
