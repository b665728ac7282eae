// What the files of the engine itself share: lazy.c (unwinding, conclusion) and questions.c.
#ifndef LOCKSTEP_LAZY_IMPL_H
#define LOCKSTEP_LAZY_IMPL_H

#include "engine/engine.h"
#include "engine/lazy/loops.h"
#include "engine/lazy/unwound.h"

typedef struct lazy {
  engine_run *run;
  loops loops;
  uint32_t unwind;
  uint32_t bugs;
  uint64_t rounds, clauses, events, nodes, calls, variables, sat_clauses, walks;
  const char *stopped, *doubt, *bound;
  bool complete;  // nothing was cut off
  map found;            // what is not asked for again: property and edge, or two edges of a race
  bool deadlock_found;  // one is enough
} lazy;

// Asks for everything that may go wrong in the unwound program, reports it, and sets complete, doubt, stopped.
void questions_ask (lazy *, const unwound *, term_pool *);

#endif
