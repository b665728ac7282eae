// Strongly connected components of a graph (Tarjan 1972), without recursion.
#ifndef LOCKSTEP_SCC_H
#define LOCKSTEP_SCC_H

#include <stdint.h>

// The successors of node n are targets[first[n]..first[n + 1][.  Fills component[0..count[ with numbers from 0 on: two
// nodes have the same one if each can be reached from the other; a component has a larger number than all others that
// can be reached from it.
void scc_find (uint32_t count, const uint32_t *first, const uint32_t *targets, uint32_t *component);

#endif
