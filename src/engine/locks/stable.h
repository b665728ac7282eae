// Which memory no longer changes once threads have been created, and which locations may be passed after that.
#ifndef LOCKSTEP_LOCKS_STABLE_H
#define LOCKSTEP_LOCKS_STABLE_H

#include "analysis/pointsto.h"
#include "base/map.h"
#include "ir/ir.h"

typedef struct stable {
  const ir_program *program;
  const pointsto *targets;
  bool *late;                  // [location]: may be passed after a thread was created
  bool all_written;            // something is stored through a pointer to anything
  map written;                 // object << 32 | word, or word 0xffffffff for the whole object: may be written late
  map touched;                 // object: some word of it
} stable;

void stable_init (stable *, const ir_program *, const pointsto *);
void stable_release (stable *);
bool stable_load (const stable *, ir_edge load);  // it reads, late, only what is never written late

#endif
