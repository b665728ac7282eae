// Child processes: start one that executes a function or a program, take the bytes that it sends, end it, and tell
// how it ended.
//
//   process *p;
//   process_plan plan = {.work = compute, .state = &input};          // compute (&input, pipe) in a copy of this process
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
  char *const *variables;                // the environment of the program, ended by NULL; NULL: ours
  const char *directory;                 // where an isolated child works; NULL: here
  bool is_isolated;                      // see below; a program always is
  int output, errors;                    // become the standard output and error of an isolated child; 0: ours
  size_t bytes;                          // memory that an isolated child may use; 0: no limit
} process_plan;

// An isolated child is the leader of a process group, which is killed with it, so Ctrl-C at the terminal reaches
// only us; it has the usual signal handlers and an empty standard input, and writes no core file.  Other children
// share our group and handlers, ignore SIGPIPE, and end with PROCESS_OUT_OF_MEMORY when their heap is exhausted,
// unless they set another handler.

typedef enum process_fate {
  PROCESS_ALIVE,
  PROCESS_EXITED,
  PROCESS_SIGNALLED,       // by us, by the system, or by a fault; also if the system does not tell how the child ended
  PROCESS_OUT_OF_MEMORY,   // a copy of this process had no heap left (its exit code is MEM_EXHAUSTED_EXIT_CODE)
  PROCESS_LATE             // we killed it at its deadline
} process_fate;

// ---- starting ----
int process_start (const process_plan *, process **);   // 0, or the errno of what failed; then there is no process
// A copy of this process that goes on from here.  In the parent: the child, *pipe is -1.  In the child: NULL, and
// it sends to *pipe.  Where no process can be made: NULL, and *pipe is -1.  The child keeps our group, handlers and
// way to run out of memory.
process *process_split (int *pipe);

// ---- in a child ----
bool process_send (int pipe, const strbuf *);    // all of it; false: the parent has closed its end

// ---- in the parent ----
// Waits until a child has sent something or has ended, for at most so many milliseconds.  Adds what each has sent
// to its received bytes, and ends those beyond their deadlines.
void processes_listen (process *const *list, uint32_t count, int milliseconds);
bool process_is_alive (const process *);         // more bytes may come
process_fate process_fate_of (const process *);
int process_code (const process *);              // its exit code, or the number of the signal
pid_t process_pid (const process *);
strbuf *process_received (process *);            // what it has sent; the caller may take away what it has read
void process_set_deadline (process *, double when);   // as budget_now counts; 0: none
// Sends SIGTERM, the first time it is called; its deadline is at most so many seconds from now (0: as before).
void process_ask_to_stop (process *, double seconds);
void process_kill (process *);                   // with its group, and waits for it
void process_leave (process *);                  // kills it, and does not wait until its memory is freed
void process_free (process *);                   // kills it if it is alive
// Waits for the end of a child that sends nothing.  When the budget is spent, kills it and returns why, else NULL.
// Without a budget only Ctrl-C ends it early.
const char *process_wait (process *, const budget *);

// The absolute path of a program: of the folders of PATH, those whose names are absolute.  False: it is in none of
// them.
bool process_find_program (const char *name, strbuf *path);

// The first thing a program does: opens standard files that are closed, and makes the system tell how children end.
void process_begin (void);

#endif
