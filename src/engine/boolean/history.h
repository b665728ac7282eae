// The symbolic states met so far, by where their threads stand.
#ifndef LOCKSTEP_BOOLEAN_HISTORY_H
#define LOCKSTEP_BOOLEAN_HISTORY_H

#include "base/map.h"
#include "engine/boolean/subsume.h"

typedef struct history {
  VEC (const sym_state *) states;
  VEC (uint32_t) older;        // by state: the one before it with the same hash of locations; BP_NONE: none
  map newest;                  // by hash of locations
  VEC (struct met_state { const sym_state *state; uint32_t by; }) met;   // also those that were subsumed: by which state
  map same;                    // by hash of everything: in `met`
  uint64_t met_again, subsumed;  // the same formulas; by a solver
} history;
void history_release (history *);
// SAT_YES: the old state *by has all that the new one has.  SAT_NO: it has been added.  The state stays where it is.
sat_answer history_meet (history *, subsumption *, const sym_state *, uint32_t *by);

#endif
