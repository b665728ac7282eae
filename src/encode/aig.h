// And-inverter graphs with structural hashing.  A literal is 2 * node + sign, as in AIGER: AIG_FALSE is 0, AIG_TRUE 1.
#ifndef LOCKSTEP_AIG_H
#define LOCKSTEP_AIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct { uint32_t i; } aig_lit;
#define AIG_FALSE ((aig_lit){0})
#define AIG_TRUE ((aig_lit){1})

// The operands of an and-node.  Of an input: left is UINT32_MAX, right the number of the input.
typedef struct aig_node { aig_lit left, right; } aig_node;
typedef struct aig {
  VEC (aig_node) nodes;        // [0] is constant false
  uint32_t num_inputs;         // all nodes except the inputs and the constant are ands of older nodes
  uint32_t *slots;             // hash table of and-nodes; 0: free
  uint32_t num_slots, num_ands;
} aig;

void aig_init (aig *);
void aig_release (aig *);
aig_lit aig_input (aig *);
aig_lit aig_and (aig *, aig_lit, aig_lit);       // folds constants, equal and opposite operands, and two-level cases
aig_lit aig_or (aig *, aig_lit, aig_lit);
aig_lit aig_xor (aig *, aig_lit, aig_lit);
aig_lit aig_mux (aig *, aig_lit condition, aig_lit then, aig_lit otherwise);
static inline aig_lit aig_not (aig_lit x) { return (aig_lit){x.i ^ 1}; }
static inline bool aig_is_input (const aig *g, uint32_t node) { return g->nodes.data[node].left.i == UINT32_MAX; }

#endif
