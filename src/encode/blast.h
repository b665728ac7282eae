// Terms as gates: every bit of a term is a literal of an and-inverter graph.  A term is translated once.
#ifndef LOCKSTEP_BLAST_H
#define LOCKSTEP_BLAST_H

#include "encode/aig.h"
#include "encode/term.h"

typedef struct blaster {
  const term_pool *pool;
  aig graph;
  VEC (uint32_t) first;        // by term: where its literals begin in `bits`, + 1; 0: not translated
  VEC (aig_lit) bits;
  VEC (term) stack;            // being translated
  bool is_exact;               // no operator was met that is not modelled: such a one is any value, that is fresh inputs
} blaster;

void blaster_init (blaster *, const term_pool *);
void blaster_release (blaster *);
const aig_lit *blast (blaster *, term);          // its bits, lowest first; valid until the next call
const aig_lit *blasted (const blaster *, term);  // the same, or NULL if it was not translated so far

#endif
