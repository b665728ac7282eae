// What the files of this folder share among themselves; show.h lists them in reading order.
#ifndef LOCKSTEP_LOCKS_SHOW_IMPL_H
#define LOCKSTEP_LOCKS_SHOW_IMPL_H

#include <stdbool.h>

#include "base/vec.h"
#include "engine/locks/show/show.h"

// ---- interleave.c --------------------------------------------------------------------------------------
// Merging the paths of several threads, each possible alone, into one interleaving in which every operation on locks is
// possible (LOCK theorem 5 and the example of section 5.1).
typedef enum merge_op {
  MERGE_NOTHING,               // nobody minds
  MERGE_ACQUIRE, MERGE_RELEASE,
  MERGE_BEGIN_ATOMIC, MERGE_END_ATOMIC,        // in between no other path moves
  MERGE_BEGIN_ONCE, MERGE_END_ONCE, MERGE_PASS_ONCE,  // PASS: it was done before
  MERGE_CREATE                 // of the path `lock`
} merge_op;

typedef struct merge_step { merge_op op; bool reads; uint32_t lock; } merge_step;  // a lock's number means the same in all paths

typedef struct merge_path {
  const merge_step *steps;
  uint32_t count;
  bool created;                // it cannot move before another path's CREATE of it
} merge_path;

typedef VEC (uint32_t) merge_order;  // the path that takes the 1st, 2nd, ... step

// False: no such interleaving exists, or it was not found with a reasonable effort.  `out` is then empty.
bool merge_paths (const merge_path *, uint32_t count, merge_order *out);

#endif
