// Child processes: starts a child that executes a function or a program, receives the bytes that it sends, ends it, and
// reports how it ended.
//
//   process *p;
//   process_plan plan = {.work = compute, .state = &input};         // compute (&input, pipe) in a copy of this process
//   if (process_start (&plan, &p)) give up;
//   process_set_deadline (p, budget_now () + 10);
//   while (process_is_alive (p)) processes_listen (&p, 1, 100);      // fills process_received (p)
//   if (process_fate_of (p) == PROCESS_EXITED && process_code (p) == 0) use (process_received (p));
//   process_free (p);
//
//             its pipe and it have ended                       PROCESS_EXITED, PROCESS_SIGNALLED, PROCESS_OUT_OF_MEMORY
//   alive --> processes_listen found it beyond its deadline    PROCESS_LATE
//             process_kill, process_free                       PROCESS_SIGNALLED
//
// Each child dies with the thread that started it, keeps no descriptor of its siblings, and is waited for
// (process_leave is the exception).  The functions are for one thread at a time.
#ifndef LOCKSTEP_PROCESS_H
#define LOCKSTEP_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/budget.h"
#include "base/strbuf.h"

typedef struct process process;

// A plan with `program` executes that; one without executes `work` in a copy of this process.
typedef struct process_plan {
  int (*work) (void *state, int pipe);   // sends to `pipe`; its result is the exit code
  void *state;
  const char *program;                   // absolute path
  const char *const *words;              // of the command line, ended by NULL
  char *const *variables;                // environment of the program, ended by NULL; NULL: that of this process
  const char *directory;                 // working directory of an isolated child; NULL: the current one
  bool is_isolated;                      // see below; a program always is
  int output, errors;                    // standard output and error of an isolated child; 0: those of this process
  size_t bytes;                          // memory that an isolated child may use; 0: no limit
} process_plan;

// An isolated child is the leader of a process group, which is killed with it, so Ctrl-C at the terminal reaches only
// the parent; it has the usual signal handlers and an empty standard input, and writes no core file.  Other children
// share the parent's group and handlers, ignore SIGPIPE, and end with PROCESS_OUT_OF_MEMORY when their heap is
// exhausted, unless they set another handler.

typedef enum process_fate {
  PROCESS_ALIVE,
  PROCESS_EXITED,
  PROCESS_SIGNALLED,       // ended by the parent, the system, or a fault; also if the system does not say how it ended
  PROCESS_OUT_OF_MEMORY,   // a copy of this process had no heap left (its exit code is MEM_EXHAUSTED_EXIT_CODE)
  PROCESS_LATE             // killed by the parent at its deadline
} process_fate;

// ---- starting ----
int process_start (const process_plan *, process **);   // 0, or the errno of the failure; then there is no process
// Makes a copy of this process that continues from here.  Returns the child in the parent, with *pipe -1; NULL in the
// child, which sends to *pipe; NULL with *pipe -1 if no process can be made.  The child keeps the parent's group,
// signal handlers and handler of exhausted memory.
process *process_split (int *pipe);

// ---- in a child ----
bool process_send (int pipe, const strbuf *);    // all of it; false: the parent has closed its end

// ---- in the parent ----
// Waits until a child has sent bytes or has ended, at most `milliseconds`.  Adds the bytes of each child to its
// received bytes, and ends children beyond their deadlines.
void processes_listen (process *const *list, uint32_t count, int milliseconds);
bool process_is_alive (const process *);         // more bytes may come
process_fate process_fate_of (const process *);
int process_code (const process *);              // its exit code, or the number of the signal
pid_t process_pid (const process *);
strbuf *process_received (process *);            // the bytes that it has sent; the caller may remove bytes
void process_set_deadline (process *, double when);   // as budget_now counts; 0: none
// The first call sends SIGTERM.  The deadline of the child becomes at most `seconds` from now (0: it does not change).
void process_ask_to_stop (process *, double seconds);
void process_kill (process *);                   // with its group, and waits for it
void process_leave (process *);                  // kills it, and does not wait until its memory is freed
void process_free (process *);                   // kills it if it is alive
// Waits for the end of a child that sends nothing.  If the budget is spent, kills it and returns the reason, else NULL.
// Without a budget only Ctrl-C ends it early.
const char *process_wait (process *, const budget *);

// Finds the absolute path of a program in the folders of PATH with absolute names.  False: it is in none of them.
bool process_find_program (const char *name, strbuf *path);

// Opens standard files that are closed, and makes the system report how children end.  Call it first in a program.
void process_begin (void);

#endif
