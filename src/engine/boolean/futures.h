// What a thread may access before it must wait for another one.
//
// `conditions` are those of assumes that speak of globals only, at most 64 of them.  A set of them is *closed*: they do not hold, and nobody changes that.  Then a thread
// comes to no access behind such an assume.  A lock that is held closes what is behind taking it.
#ifndef LOCKSTEP_BOOLEAN_FUTURES_H
#define LOCKSTEP_BOOLEAN_FUTURES_H

#include "engine/boolean/accesses.h"

enum { NUM_CONDITIONS = 64 };
typedef struct future {
  uint64_t met;                // closed conditions that a way of the thread ends at
  const uint64_t *reads, *writes;   // [0..accesses.words[, by variable
} future;

typedef struct futures {
  const accesses *accesses;
  VEC (bp_expr) conditions;    // [0..64[
  uint8_t *condition_at;       // [0..locs.count[: of the assume there; NUM_CONDITIONS: none
  uint64_t *ahead;             // [0..locs.count[: conditions on the ways from there
  uint64_t *depends;           // [condition * words + word]: globals of the condition
  intern asked;                // pairs (location, closed conditions), and for each
  VEC (future) known;          // its answer, in
  struct arena *arena;
  VEC (uint32_t) seen, stack;  // by location: the walk that came there last
  uint32_t walk;
} futures;
void futures_init (futures *, const accesses *);
void futures_release (futures *);
future futures_find (futures *, uint32_t location, uint64_t closed);   // the rows stay until futures_trim
void futures_trim (futures *);                                         // forgets, if that is much
static inline const uint64_t *futures_depends (const futures *f, uint32_t condition) { return f->depends + (size_t) condition * f->accesses->words; }

#endif
