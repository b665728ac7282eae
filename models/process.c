// The process around the program: environment, identity, signals.  There is no environment, and nobody sends a signal;
// what would need one is not modelled.
#include "intrinsics.h"

char *getenv (const char *name) {
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

// ---- signals ---------------------------------------------------------------------------------------
// The first word is enough to make the set defined: nothing looks at the rest.
int sigemptyset (unsigned long *set) { return *set = 0, 0; }
int sigfillset (unsigned long *set) { return *set = ~0ul, 0; }
static unsigned long bit_of (int number) { return 1ul << (unsigned) (number - 1) % (8 * sizeof (long)); }
int sigaddset (unsigned long *set, int number) { return *set |= bit_of (number), 0; }
int sigdelset (unsigned long *set, int number) { return *set &= ~bit_of (number), 0; }
int pthread_sigmask (int how, const void *set, void *old) { return (void) how, (void) set, (void) old, 0; }
int sigprocmask (int how, const void *set, void *old) { return (void) how, (void) set, (void) old, 0; }

void (*signal (int number, void (*handler) (int))) (int) {
  extern void __lockstep_unsupported_signal_handler (int, void (*) (int));
  __lockstep_unsupported_signal_handler (number, handler);
  return NULL;
}

int sigaction (int number, const void *action, void *old) {
  extern void __lockstep_unsupported_signal_handler (int, void (*) (int));
  (void) old;
  if (action) __lockstep_unsupported_signal_handler (number, NULL);
  return 0;
}

int pthread_kill (thread_handle thread, int number) {
  extern void __lockstep_unsupported_pthread_kill (thread_handle, int);
  if (number != 0) __lockstep_unsupported_pthread_kill (thread, number);
  return 0;
}
