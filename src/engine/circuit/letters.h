// The propositions of a formula (temporal/temporal.h) as conditions on a state of the system.
//
//   letters l;
//   if (!letters_init (&l, &formula, &why)) ...               // l.watch is for efsm_build
//   if (!letters_make (&l, &system, &why)) ...                // l.holds.data[k]: atom k holds
//   letters_release (&l);
#ifndef LOCKSTEP_CIRCUIT_LETTERS_H
#define LOCKSTEP_CIRCUIT_LETTERS_H

#include "efsm/build.h"
#include "engine/circuit/system.h"
#include "temporal/temporal.h"

typedef struct letters {
  const temporal *formula;
  efsm_watch watch;
  VEC (uint32_t) first_bytes;  // by atom: its first in watch.bytes
  VEC (term) holds;            // by atom
} letters;

// False: *why_not is a constant string; to be released in any case.
bool letters_init (letters *, const temporal *, const char **why_not);
bool letters_make (letters *, transition_system *, const char **why_not);
void letters_release (letters *);

#endif
