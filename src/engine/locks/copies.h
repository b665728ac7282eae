// The program as the lock analysis looks at it: some functions have one copy for each call.
#ifndef LOCKSTEP_LOCKS_COPIES_H
#define LOCKSTEP_LOCKS_COPIES_H

#include "ir/ir.h"

ir_program *copies_make (const ir_program *);  // does what the original does, at the same positions; the original lives longer

#endif
