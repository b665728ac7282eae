// Large steps: what a thread does from a point that others may notice up to the next such point, as one transition.  So depth counts what matters between
// threads, and the places where a thread can stand are few (paper CIRC, 4.1: control as latches).
//
//   folded f;
//   fold (&m, &f);
//   for (k = 0; k < f.steps.count; k++) use (f.steps.data[k].exits, ...);
//   folded_release (&f);
//
// An input of the machine belongs to one point, which a large step passes at most once: so it has one value in it.
#ifndef LOCKSTEP_FOLD_H
#define LOCKSTEP_FOLD_H

#include "efsm/efsm.h"

// In the conditions and values variables and inputs stand for what they are when the step begins.
typedef struct fold_exit { uint32_t to; term condition; } fold_exit;  // a step, or FOLD_STUCK; conditions exclude each other
typedef struct fold_goal { uint32_t point, number; term condition; } fold_goal;  // m.points[point].goals[number] is met on the way
typedef struct fold_loss { uint32_t point, number; term condition; } fold_loss;

typedef struct fold_step {
  uint32_t point;              // where it begins
  VEC (fold_exit) exits;       // none holds: the thread stays
  VEC (efsm_update) updates;   // if one does
  VEC (fold_goal) goals;
  VEC (fold_loss) losses;
} fold_step;

// A thread that has taken a step but cannot go on inside what follows stands nowhere from then on.
enum { FOLD_STUCK = UINT32_MAX - 1 };

typedef struct folded {
  efsm *m;
  VEC (uint32_t) step_of;      // by point; IR_NONE: it is inside of steps only
  VEC (fold_step) steps;
} folded;

void fold (efsm *, folded *);  // before syncs are added
void folded_release (folded *);

#endif
