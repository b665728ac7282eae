// The symbolic states found so far, by the locations of their threads.
#ifndef LOCKSTEP_BOOLEAN_HISTORY_H
#define LOCKSTEP_BOOLEAN_HISTORY_H

#include "base/map.h"
#include "engine/boolean/subsume.h"

typedef struct history {
  VEC (const sym_state *) states;
  VEC (uint32_t) older;        // by state: the one before it with the same hash of locations; BP_NONE: none
  map newest;                  // hash of locations -> newest state
  VEC (struct known_state { const sym_state *state; uint32_t by; }) met;   // with the subsumed ones: `by` which state
  map same;                    // hash of everything -> index in `met`
  uint64_t met_again, subsumed;  // states with formulas that were known; states that a solver found to be subsumed
} history;
void history_release (history *);
// SAT_YES: the old state *by subsumes the new one. SAT_NO: the new one was added. The state must stay at its address.
sat_answer history_find_or_add (history *, subsumption *, const sym_state *, uint32_t *by);

#endif
