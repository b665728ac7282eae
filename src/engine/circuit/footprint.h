// The footprint of each large step, the footprint of its thread from there on, and the locks on which that depends
// (paper CIRC, 4.2: touch-now, touch-now-later, touch-now-later-LS). These are facts about program counters: no terms
// are built.
//
//   footprints p;
//   footprints_init (&p, &folded);
//   footprints_later (&p, thread, (step_holds){.locks = p.steps.data[a].held, .thread = IR_NONE}, later);
//   if (footprints_conflict (&p, p.steps.data[a].all, later[b])) ...  // a thread at b may interfere first
//   footprints_release (&p);
#ifndef LOCKSTEP_CIRCUIT_FOOTPRINT_H
#define LOCKSTEP_CIRCUIT_FOOTPRINT_H

#include "base/idset.h"
#include "efsm/fold.h"

typedef struct step_footprint {
  uint32_t first, all;         // footprints: of the point that the step begins with, of all its points
  uint32_t standing;           // footprint that matters to a thread at the step even if the thread cannot go on
  uint64_t acquires, joins;    // locks that the step acquires, threads that it joins, before anything else
  // must-held locks of the thread that only their holders release and that no thread accesses like data
  uint64_t held;
  bool runs;                   // the thread was started, and has not ended
  bool ends_process;           // the step may end the process
} step_footprint;

typedef struct footprints {
  const folded *f;
  idsets sets;                 // of accesses: variable << 1 | written
  VEC (step_footprint) steps;
  map conflicts;               // two sets << 32 -> whether they conflict
} footprints;

// What a thread that does not step keeps from others: no other thread takes a step that acquires one of these locks, or
// that joins this thread.
typedef struct step_holds { uint64_t locks; uint32_t thread /* or IR_NONE */; } step_holds;

void footprints_init (footprints *, folded *);
void footprints_release (footprints *);
// Fills later[0..steps[: a footprint for each step of the thread; entries of other threads stay.
void footprints_later (footprints *, uint32_t thread, step_holds, uint32_t *later);
// Do both access a variable, and does one of them write it?
bool footprints_conflict (footprints *, uint32_t touches, uint32_t others);

#endif
