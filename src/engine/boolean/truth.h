// Truth tables of literals that depend on few inputs.
//
//   truth_begin (&t, &graph);
//   truth_add (&t, &graph, x);
//   if (truth_is_small (&t, &graph)) {             // t.inputs are their nodes; the caller may reorder them here
//     truth_fill (&t, &graph);
//     use (truth_word (&t, x, w));                 // bit b: the value at position 64 * w + b; input k is bit k of it
//   }
#ifndef LOCKSTEP_BOOLEAN_TRUTH_H
#define LOCKSTEP_BOOLEAN_TRUTH_H

#include "encode/cone.h"

enum { TRUTH_INPUTS = 15, TRUTH_WORD_INPUTS = 6, TRUTH_WORDS = 1 << (TRUTH_INPUTS - TRUTH_WORD_INPUTS) };

typedef struct truth {                           // all zero is empty
  cone cone;
  VEC (uint32_t) inputs;
  uint32_t num_words;                            // length of a table
  VEC (uint32_t) place;                          // by node of the cone: where its table begins
  VEC (uint64_t) words;                          // all tables; the first one is that of the constant
} truth;
void truth_release (truth *);
void truth_begin (truth *, const aig *);
void truth_add (truth *, const aig *, aig_lit);
bool truth_is_small (truth *, const aig *);
void truth_fill (truth *, const aig *);
static inline uint64_t truth_word (const truth *t, aig_lit x, uint32_t w) {
  return t->words.data[(x.i < 2 ? 0 : t->place.data[x.i / 2]) + w] ^ -(uint64_t) (x.i & 1);
}

#endif
