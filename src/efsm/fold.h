// Large steps: the steps of a thread from one point that other threads may notice to the next one, as a single
// transition. So depth counts only steps that matter between threads, and a thread can be at few points between steps
// (paper CIRC, 4.1: control as latches).
//
//   folded f;
//   fold (&m, &f);
//   for (k = 0; k < f.steps.count; k++) use (f.steps.data[k].exits, ...);
//   folded_release (&f);
//
// An input of the machine belongs to one point; a large step visits a point at most once, so the input has one value in
// it.
#ifndef LOCKSTEP_FOLD_H
#define LOCKSTEP_FOLD_H

#include "efsm/efsm.h"

// In conditions and values, variables and inputs stand for their values when the step begins.
// to: a step, or FOLD_STUCK; conditions exclude each other
typedef struct fold_exit { uint32_t to; term condition; } fold_exit;
// m.points[point].goals[number] is met on the path
typedef struct fold_goal { uint32_t point, number; term condition; } fold_goal;
typedef struct fold_loss { uint32_t point, number; term condition; } fold_loss;

typedef struct fold_step {
  uint32_t point;              // the point at which it begins
  VEC (fold_exit) exits;       // if none is enabled, the thread stays
  VEC (efsm_update) updates;   // executed if an exit is enabled
  VEC (fold_goal) goals;
  VEC (fold_loss) losses;
} fold_step;

// The position of a thread that has begun a step but cannot finish it.
enum { FOLD_STUCK = UINT32_MAX - 1 };

typedef struct folded {
  efsm *m;
  VEC (uint32_t) step_of;      // by point; IR_NONE: the point is only inside of steps
  VEC (fold_step) steps;
} folded;

void fold (efsm *, folded *);  // called before syncs are added
void folded_release (folded *);

#endif
