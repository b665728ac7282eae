// Isolated children (base/process.h) that read input that is not trusted: clang, and LLVM's readers in a copy of this
// process.
#ifndef LOCKSTEP_CHILD_H
#define LOCKSTEP_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/budget.h"
#include "base/process.h"
#include "base/strbuf.h"

// Starts the plan's program with a harmless environment instead of ours.  Returns 0 or the errno of the failure.
int child_start_program (const process_plan *, process **);
// Returns whether a child failed for a reason other than its input, and appends the reason to *why: "memory limit of
// 100 MB" if its messages or its exit say that it had too little memory; "clang-19 was killed, ..." if the system or
// the user ended it.
bool child_was_stopped (const char *name, const process *, const char *messages, size_t size, const budget *,
                        strbuf *why);
bool child_has_succeeded (const process *);   // its exit code is 0

#endif
