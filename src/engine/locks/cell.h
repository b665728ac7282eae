// Locks that a program makes itself from an atomic variable: 0 is free, compare-and-swap from 0 (or exchange, if the old value
// was 0) takes it, storing 0 gives it back.
#ifndef LOCKSTEP_LOCKS_CELL_H
#define LOCKSTEP_LOCKS_CELL_H

#include "engine/locks/analysis.h"

typedef enum cell_op {
  CELL_NONE,
  CELL_TAKE_IF_EQUAL,          // compare-and-swap 0 -> something else
  CELL_TAKE_BY_EXCHANGE,       // exchange for something else than 0
  CELL_GIVE,                   // store of 0
  CELL_GIVE_IF_EQUAL,          // compare-and-swap something else -> 0
  CELL_KEEP                    // compare-and-swap between values other than 0
} cell_op;

void find_cells (lock_analysis *);                  // variables that some thread takes so
cell_op cell_op_of (lock_analysis *, ir_edge);      // CELL_NONE if the edge does not touch such a variable
void distrust_cells (lock_analysis *);              // those that are also written in other ways

#endif
