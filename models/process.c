// The process around the program: environment, identity, the machine, signals.  There is no environment, and nobody sends a signal: handlers
// are never called; both are bounds of the answer.
#include "intrinsics.h"

extern void __lockstep_gap_environment_variables_are_not_set (void);

char *getenv (const char *name) {
  __lockstep_gap_environment_variables_are_not_set ();
  __lockstep_read_string (name);
  return NULL;
}

// Any fixed number would do.
int getpid (void) { return 1000; }
int getppid (void) { return 999; }

int atexit (void (*routine) (void)) {
  extern void __lockstep_unsupported_atexit (void (*) (void));
  __lockstep_unsupported_atexit (routine);
  return 0;
}

// ---- the machine ------------------------------------------------------------------------------------
// There are processors and pages; of anything else there may be no limit, or none that is known, which is -1.
long sysconf (int name) {
  enum { PAGE_SIZE_NAME = 30, PROCESSORS_CONFIGURED = 83, PROCESSORS_ONLINE = 84 };
  if (name == PAGE_SIZE_NAME) return 4096;
  int any = __lockstep_nondet_int ();
  if (name == PROCESSORS_CONFIGURED || name == PROCESSORS_ONLINE) return any < 1 ? 1 : any > 1024 ? 1024 : any;
  return any < 1 ? -1 : any;
}

int getpagesize (void) { return 4096; }
int isatty (int file) { return (void) file, __lockstep_nondet_bool (); }

// ---- signals ---------------------------------------------------------------------------------------
// The first word is enough to make the set defined: nothing looks at the rest.
int sigemptyset (unsigned long *set) { return *set = 0, 0; }
int sigfillset (unsigned long *set) { return *set = ~0ul, 0; }
static unsigned long bit_of (int number) { return 1ul << (unsigned) (number - 1) % (8 * sizeof (long)); }
int sigaddset (unsigned long *set, int number) { return *set |= bit_of (number), 0; }
int sigdelset (unsigned long *set, int number) { return *set &= ~bit_of (number), 0; }
int pthread_sigmask (int how, const void *set, void *old) { return (void) how, (void) set, (void) old, 0; }
int sigprocmask (int how, const void *set, void *old) { return (void) how, (void) set, (void) old, 0; }

extern void __lockstep_gap_signal_handlers_are_not_run (void);

void (*signal (int number, void (*handler) (int))) (int) {
  (void) number, (void) handler;
  __lockstep_gap_signal_handlers_are_not_run ();
  return NULL;
}

int sigaction (int number, const void *action, void *old) {
  (void) number, (void) action, (void) old;
  __lockstep_gap_signal_handlers_are_not_run ();
  return 0;
}

// What follows would look different if a handler had run: findings behind it rest on the handler that did not.
static void skip_handler (void) {
  extern _Bool __lockstep_nondet_invented_handler (void);
  __lockstep_gap_signal_handlers_are_not_run ();
  __lockstep_assume (!__lockstep_nondet_invented_handler ());
}

// Whatever it waits for may come from outside at any time.
int sigsuspend (const void *set) { return (void) set, skip_handler (), __lockstep_fail (EINTR), -1; }
int pause (void) { return skip_handler (), __lockstep_fail (EINTR), -1; }
int raise (int number) { return (void) number, skip_handler (), 0; }
unsigned alarm (unsigned seconds) { return (void) seconds, skip_handler (), 0; }
int sigismember (const unsigned long *set, int number) { return (*set & bit_of (number)) != 0; }

int kill (int process, int number) {
  (void) process;
  if (number != 0) skip_handler ();
  return 0;
}

int pthread_kill (thread_handle thread, int number) {
  extern void __lockstep_unsupported_pthread_kill (thread_handle, int);
  if (number != 0) __lockstep_unsupported_pthread_kill (thread, number);
  return 0;
}
