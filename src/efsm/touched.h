// Which shared variables a point reads and writes, by its terms.
//
//   touched t;
//   touched_init (&t, &m);
//   for (const uint32_t *x = touched_begin (&t, point); x < touched_end (&t, point); x++) use (*x >> 1);
//   touched_release (&t);
#ifndef LOCKSTEP_TOUCHED_H
#define LOCKSTEP_TOUCHED_H

#include "efsm/efsm.h"

typedef struct touched {
  VEC (uint32_t) first;        // by point; point p accesses items[first[p]..first[p + 1][
  VEC (uint32_t) items;        // variable << 1 | written
} touched;

void touched_init (touched *, const efsm *);
// only the variables of goals, omissions and accesses, which count before the point is executed
void touched_by_standing_init (touched *, const efsm *);
void touched_release (touched *);
static inline const uint32_t *touched_begin (const touched *t, uint32_t point) {
  return &t->items.data[t->first.data[point]];
}
static inline const uint32_t *touched_end (const touched *t, uint32_t point) {
  return &t->items.data[t->first.data[point + 1]];
}

#endif
