// Bit-blasting: every bit of a term is a literal of an and-inverter graph.  A term is translated once.
#ifndef LOCKSTEP_BLAST_H
#define LOCKSTEP_BLAST_H

#include "encode/aig.h"
#include "encode/term.h"

typedef struct blaster {
  const term_pool *pool;
  aig graph;
  VEC (uint32_t) first;        // by term: index of its first literal in `bits`, plus 1; 0: not translated
  VEC (aig_lit) bits;
  VEC (term) stack;            // terms being translated
  bool is_exact;               // false: an operator without an exact model was translated to new inputs, any value
} blaster;

void blaster_init (blaster *, const term_pool *);
void blaster_release (blaster *);
const aig_lit *blast (blaster *, term);          // the bits of the term, lowest first; valid until the next call
const aig_lit *blasted (const blaster *, term);  // the same, or NULL if the term has not been translated

#endif
