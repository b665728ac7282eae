// Which locations may be passed after one of some edges was taken, by the same thread or, behind a thread creation, by the new one.
#ifndef LOCKSTEP_LOCKS_LATER_H
#define LOCKSTEP_LOCKS_LATER_H

#include "analysis/pointsto.h"
#include "base/vec.h"
#include "ir/ir.h"

typedef VEC (ir_edge) edge_list;
bool *later_locations (const ir_program *, const pointsto *, const edge_list *);  // [0..locs.count]; the caller frees them with mem_free
static inline size_t later_bytes (const ir_program *p) { return p->locs.count + 1; }

#endif
