// What the isolated children (base/process.h) get that read what is not trusted: clang, and LLVM's readers in a
// copy of this process.
#ifndef LOCKSTEP_CHILD_H
#define LOCKSTEP_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/budget.h"
#include "base/process.h"
#include "base/strbuf.h"

// Starts the plan's program with a harmless environment instead of ours.  0, or the errno of what failed.
int child_start_program (const process_plan *, process **);
// Why a child that failed says nothing about what it read: "memory limit of 100 MB" if it had too little memory, as
// its messages or its end tell; "clang-19 was killed, ..." if the system or the user ended it.  Appended to *why;
// false: it failed because of what it read.
bool child_was_stopped (const char *name, const process *, const char *messages, size_t size, const budget *,
                        strbuf *why);
bool child_has_succeeded (const process *);   // it has ended with the exit code 0

#endif
