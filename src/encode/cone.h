// Cones: the nodes below some literals of an and-inverter graph, operands first, and copies of these nodes with other
// literals in place of the inputs.
//
//   cone_begin (&c, &from);
//   cone_add (&c, &from, x), cone_add (&c, &from, y);
//   for (uint32_t i = 0; i < c.nodes.count; i++)
//     if (aig_is_input (&from, c.nodes.data[i])) cone_set (&c, c.nodes.data[i], ...);
//   cone_copy (&c, &from, &to);                 // `to` may be `from`
//   use (cone_image (&c, x));
#ifndef LOCKSTEP_CONE_H
#define LOCKSTEP_CONE_H

#include "encode/aig.h"

typedef struct cone {                          // all zero is empty
  VEC (uint32_t) nodes;                        // each once, without the constant, in the order of a depth-first search
  VEC (uint32_t) seen;                         // by node: number of the last cone that contained it
  VEC (aig_lit) image;                         // by node of the cone: its copy
  VEC (uint32_t) stack;
  uint32_t number;
} cone;

void cone_release (cone *);
void cone_begin (cone *, const aig *);           // begins a new cone and forgets the last one
void cone_add (cone *, const aig *, aig_lit root);
static inline bool cone_has (const cone *c, uint32_t node) {
  return node < c->seen.count && c->seen.data[node] == c->number;
}
static inline void cone_set (cone *c, uint32_t node, aig_lit image) { c->image.data[node] = image; }
void cone_copy (cone *, const aig *from, aig *to);  // copies the ands; the images of the inputs must have been set
static inline aig_lit cone_image (const cone *c, aig_lit x) {
  return x.i < 2 ? x : (aig_lit){c->image.data[x.i / 2].i ^ (x.i & 1)};
}

#endif
