// The propositions of a formula (temporal/temporal.h) as conditions on a state of the system.
//
//   circuit_propositions l;
//   if (!circuit_propositions_init (&l, &formula, &why)) ...               // l.watch is for efsm_build
//   if (!circuit_propositions_make (&l, &system, &why)) ...                // l.holds.data[k]: atom k is true
//   circuit_propositions_release (&l);
#ifndef LOCKSTEP_CIRCUIT_PROPOSITIONS_H
#define LOCKSTEP_CIRCUIT_PROPOSITIONS_H

#include "efsm/build.h"
#include "engine/circuit/transition_system.h"
#include "temporal/temporal.h"

typedef struct circuit_propositions {
  const temporal *formula;
  efsm_watch watch;
  VEC (uint32_t) first_bytes;  // by atom: index of its first byte in watch.bytes
  VEC (term) holds;            // by atom: the condition under which it is true
} circuit_propositions;

// False: *why_not is a constant string. Must be released in any case.
bool circuit_propositions_init (circuit_propositions *, const temporal *, const char **why_not);
bool circuit_propositions_make (circuit_propositions *, transition_system *, const char **why_not);
void circuit_propositions_release (circuit_propositions *);

#endif
