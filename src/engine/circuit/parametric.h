// Proofs for any number of threads: where a program starts threads again and again, so that no finite number of them is
// enough, an invariant about the views (prove/views.h) of a few of them.
#ifndef LOCKSTEP_CIRCUIT_PARAMETRIC_H
#define LOCKSTEP_CIRCUIT_PARAMETRIC_H

#include "base/strbuf.h"
#include "engine/circuit/transition_system.h"
#include "engine/engine.h"

// Can the machine run out of threads? A short search, which finds creations in endless loops.
bool system_lacks_threads (transition_system *, const budget *);

typedef struct parametric_proof {
  bool holds;                  // the property is proved, and no execution is omitted
  uint32_t tracked;           // tracked threads of each group in a view
  strbuf where;                // creation sites of the replicated threads
  uint64_t clauses, obligations;
  const char *why;             // why there is no proof; a constant string, or on the run's arena
  bool refused;                // ... and more tracked threads would not help
} parametric_proof;

// Proves the property, with the circuit for `properties` (groups.h). The result must be released.
void prove_parametric (engine_run *, uint32_t properties, ir_property, const budget *, parametric_proof *);
void parametric_proof_release (parametric_proof *);

#endif
