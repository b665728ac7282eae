// The lock order graph for people: which lock is waited for while another one is held.
#ifndef LOCKSTEP_LOCKS_LOCK_GRAPH_H
#define LOCKSTEP_LOCKS_LOCK_GRAPH_H

#include "engine/locks/analysis.h"
#include "verdict/verdict.h"

void add_lock_graph (verdict *, lock_analysis *);  // each pair of locks once, with one place

#endif
