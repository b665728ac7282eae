// Proofs for any number of threads: where a program starts threads again and again, so that no finite number of them is enough, an invariant of the views (prove/views.h) of a few of them.
#ifndef LOCKSTEP_CIRCUIT_MANY_H
#define LOCKSTEP_CIRCUIT_MANY_H

#include "base/strbuf.h"
#include "engine/circuit/system.h"
#include "engine/engine.h"

// Do its threads run out?  Looked for by a short search; what loops without end start is found by it.
bool system_lacks_threads (transition_system *, const budget *);

typedef struct many_proof {
  bool holds;                  // it never goes wrong, and nothing is left out
  uint32_t followed;           // threads of each crowd in a view
  strbuf where;                // creations that any number of threads come from
  uint64_t clauses, obligations;
  const char *why;             // not; a constant string, or the run's
  bool refused;                // ... and there is no sense in trying with more threads
} many_proof;

// The property, with the circuit for `properties` (groups.h).  To be released.
void prove_for_many (engine_run *, uint32_t properties, ir_property, const budget *, many_proof *);
void many_proof_release (many_proof *);

#endif
