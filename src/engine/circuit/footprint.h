// What each large step touches, what its thread may touch from there on, and on which locks that depends (paper CIRC, 4.2: touch-now, touch-now-later,
// touch-now-later-LS).  Facts about program counters: no term is made.
//
//   footprints p;
//   footprints_init (&p, &folded);
//   footprints_later (&p, thread, (holding){.locks = p.steps.data[a].held, .thread = IR_NONE}, later);
//   if (footprints_meet (&p, p.steps.data[a].all, later[b])) ...    // who stands at b may be the first to interfere with a
//   footprints_release (&p);
#ifndef LOCKSTEP_CIRCUIT_FOOTPRINT_H
#define LOCKSTEP_CIRCUIT_FOOTPRINT_H

#include "base/idset.h"
#include "efsm/fold.h"

typedef struct step_footprint {
  uint32_t first, all;         // sets of touches: of the point it begins with, of all its points
  uint32_t standing;           // what matters to who stands before it, even if he cannot go on
  uint64_t acquires, joins;    // locks that it takes, threads that it waits for, before anything else
  uint64_t held;               // locks that its thread holds for certain, that only their holders release and that nobody accesses like data
  bool runs;                   // its thread was started, and has not ended
  bool ends_process;           // it may
} step_footprint;

typedef struct footprints {
  const folded *f;
  idsets sets;                 // of touches: variable << 1 | written
  VEC (step_footprint) steps;
  map meets;                   // two sets << 32 -> whether they have a conflict
} footprints;

// What somebody has who does not move: nobody else passes a step that takes one of the locks, or that waits for this thread.
typedef struct holding { uint64_t locks; uint32_t thread /* or IR_NONE */; } holding;

void footprints_init (footprints *, folded *);
void footprints_release (footprints *);
void footprints_later (footprints *, uint32_t thread, holding, uint32_t *later);  // later[0..steps[: a set for each step of the thread; others stay
bool footprints_meet (footprints *, uint32_t touches, uint32_t others);           // both touch a variable, and one writes it

#endif
