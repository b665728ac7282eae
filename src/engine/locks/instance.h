// Threads of one kind told apart by their argument: each gets `base + i * stride` (or just i) from a loop that counts i up, or memory that
// was allocated for it.  What each of them does at fixed distances from its argument, the others do elsewhere.
#ifndef LOCKSTEP_LOCKS_INSTANCE_H
#define LOCKSTEP_LOCKS_INSTANCE_H

#include "engine/locks/analysis.h"

// How the argument of a kind grows: counter of the creating procedure, its step, the argument as a term over it.
typedef struct numbering {
  bool known;
  bool fresh;                  // each gets memory that was allocated for it (the fields below are those of `known`)
  ir_proc creator;
  ir_edge create, increment;
  value counter, argument;
  int64_t distance;            // between the arguments of consecutive threads
} numbering;

// Where an access lies if its thread's argument is known.
typedef enum whereabouts { SOMEWHERE, EXACTLY, NOWHERE /* it is none */ } whereabouts;
typedef struct exact_place { whereabouts known; uint32_t object; int64_t offset; } exact_place;

typedef struct instances {
  lock_analysis *analysis;
  numbering *kinds;            // [kind of thread]
  VEC (exact_place) places;    // found by exactly_where; [0] is unused
  uint32_t *num_callers, *caller;  // [procedure]: call edges that may call it, and one of them
} instances;

void instances_init (instances *, lock_analysis *);
void instances_release (instances *);

typedef struct placed_access {
  uint32_t kind;
  ir_edge edge;
  unsigned arg;
  uint32_t bytes;
  uint32_t place;              // what exactly_where gave; 0: it was not asked
} placed_access;
// Two different threads of these kinds cannot touch a common byte by these accesses.
bool instances_apart (instances *, placed_access, placed_access);
// The address of the access in the terms of procedure `top`, as far as calls lead there uniquely; VALUE_NONE: not known.
value instances_address (instances *, placed_access, ir_proc top);

// exact.c: the same, because the addresses of both, or of one, are known exactly from what the threads get as arguments.
bool exactly_apart (instances *, placed_access, placed_access);
uint32_t exactly_where (instances *, placed_access);  // for whoever asks often about one access

#endif
