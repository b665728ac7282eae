// The globals that a step accesses.
#ifndef LOCKSTEP_BOOLEAN_ACCESSES_H
#define LOCKSTEP_BOOLEAN_ACCESSES_H

#include "engine/boolean/symbolic.h"

typedef enum access_set {
  STEP_READS, STEP_WRITES,
  STEP_WAITS,                  // globals that decide whether the step is possible; part of STEP_READS
  NUM_ACCESS_SETS
} access_set;

typedef struct accesses {
  const bp_program *program;
  uint32_t words;
  uint64_t *bits[NUM_ACCESS_SETS];   // [location * words + word], by variable
} accesses;
void accesses_init (accesses *, const bp_program *);
void accesses_release (accesses *);
static inline const uint64_t *accesses_at (const accesses *a, access_set s, uint32_t location) {
  return a->bits[s] + (size_t) location * a->words;
}

#endif
