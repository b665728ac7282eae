// The accesses that a thread may make before it must wait for another thread.
//
// `conditions` are those of assumes that contain globals only, at most 64 of them. A set of them is *closed*: they are
// false, and no other thread changes that. Then a thread does not reach any access after such an assume. A lock that is
// held closes the code after acquiring it.
#ifndef LOCKSTEP_BOOLEAN_FUTURES_H
#define LOCKSTEP_BOOLEAN_FUTURES_H

#include "engine/boolean/accesses.h"

enum { NUM_CONDITIONS = 64 };
typedef struct symbolic_future {
  uint64_t met;                // closed conditions at which a path of the thread ends
  const uint64_t *reads, *writes;   // [0..accesses.words[, by variable
} symbolic_future;

typedef struct symbolic_futures {
  const accesses *accesses;
  VEC (bp_expr) conditions;    // [0..64[
  uint8_t *condition_at;       // [0..locs.count[: number of the condition of the assume there; NUM_CONDITIONS: none
  uint64_t *ahead;             // [0..locs.count[: conditions on the paths from there
  uint64_t *depends;           // [condition * words + word]: globals of the condition
  intern asked;                // pairs (location, closed conditions), and for each
  VEC (symbolic_future) known;          // its future, at the same index
  struct arena *arena;
  VEC (uint32_t) seen, stack;  // by location: number of the last traversal that reached it
  uint32_t walk;
} symbolic_futures;
void futures_init (symbolic_futures *, const accesses *);
void futures_release (symbolic_futures *);
// The rows are valid until futures_trim.
symbolic_future futures_find (symbolic_futures *, uint32_t location, uint64_t closed);
void futures_trim (symbolic_futures *);                                         // frees the table if it is large
static inline const uint64_t *futures_depends (const symbolic_futures *f, uint32_t condition) {
  return f->depends + (size_t) condition * f->accesses->words;
}

#endif
