// Declarations that process.c and process_wait.c share.
#ifndef LOCKSTEP_PROCESS_IMPL_H
#define LOCKSTEP_PROCESS_IMPL_H

#include "base/memory.h"
#include "base/process.h"

struct process {
  pid_t pid;
  int pipe;                // end of the parent; -1: closed
  int handle;              // handle of the process, for poll; -1: this system has none
  bool is_program, is_isolated, was_asked;
  double deadline;         // 0: none
  process_fate fate;
  int code;
  strbuf received;
  process *next;           // next in the list of all children of this process
};

void process_forget (process *);   // removes it from the list of children, and frees it

#endif
