// Why there is no answer: one line for people, which begins with the place in the program if there is one.
//
//   a.c:12: unsupported: inline assembly "cpuid"           REASON_UNSUPPORTED
//   a.c:7: an address comes from an input                  REASON_PLACE
//   the program is too large for this encoding             REASON_ENGINE
//   time limit of 10 s reached                             REASON_BUDGET
//
// Several engines give several reasons.  The first of these kinds is shown, because users can do most about it.
#ifndef LOCKSTEP_IR_REASON_H
#define LOCKSTEP_IR_REASON_H

#include "base/arena.h"
#include "ir/ir.h"

// Executions come to `place` (of a library function: where the program calls it), and nothing is known of what follows.
const char *reason_at (arena *, const ir_program *, ir_edge place, const char *what);
const char *reason_unsupported (arena *, const ir_program *, ir_edge place, const char *construct);   // NULL: without a name
// One of the two, as the edge that was not followed is `unsupported` or not.
const char *reason_of_edge (arena *, const ir_program *, ir_edge place, ir_edge, const char *what);

typedef enum reason_kind { REASON_INTERNAL, REASON_UNSUPPORTED, REASON_PLACE, REASON_ENGINE, REASON_BUDGET, REASON_NONE } reason_kind;
reason_kind reason_kind_of (const char *);   // NULL: REASON_NONE

#endif
