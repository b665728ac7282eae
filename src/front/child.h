// Child processes that read what is not trusted: clang, and LLVM's readers in a copy of this process.  Each is the leader of a process
// group, has limits of its own, and is killed when the budget is spent or when the thread that started it is gone.
#ifndef LOCKSTEP_CHILD_H
#define LOCKSTEP_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/strbuf.h"

typedef struct child_plan {
  const char *program;         // absolute path; NULL: `work` is done in a copy of this process
  const char *const *words;    // of the command line, ended by NULL
  const char *directory;       // where it runs; NULL: here
  int (*work) (void *state);   // its result is the exit code
  void *state;
  int output, errors;          // become its standard output and error; -1: ours
  size_t bytes;                // memory it may use; 0: no limit
} child_plan;

int child_start (const child_plan *, pid_t *child);   // 0, or the errno of what failed
// Waits for its end and sets *status (as of waitpid).  When the budget is spent, kills it and its group and returns why; else NULL.
// Without a budget only Ctrl-C ends it early.
const char *child_wait (pid_t child, const budget *, int *status);
void child_end (pid_t child);   // kills it and its group
// Why a child that failed says nothing about what it read: "memory limit of 100 MB" if its messages tell that it had
// too little memory, "clang-19 was killed, ..." if the system or the user ended it. Appended to *why; false: it failed
// because of what it read.
bool child_was_stopped (const char *name, int status, const char *messages, size_t size, const budget *, strbuf *why);
// The absolute path of a program: of the folders of PATH, those whose names are absolute.  False: it is in none of them.
bool child_find_program (const char *name, strbuf *path);

#endif
