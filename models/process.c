// The process around the program: environment, identity, the machine, signals.  There is no environment, and no signal
// is ever sent: handlers are never called; both are bounds of the answer.
#include "intrinsics.h"

extern void __lockstep_gap_environment_variables_are_not_set (void);

// What the program sets itself is not kept: what getenv returns from then on is conditional.
static int __lockstep_environment;

char *getenv (const char *name) {
  __lockstep_gap_environment_variables_are_not_set ();
  __lockstep_read_string (name);
  if (__atomic_load_n (&__lockstep_environment, __ATOMIC_SEQ_CST))
    __lockstep_assume (__lockstep_nondet_variable_set ());
  return NULL;
}

int setenv (const char *name, const char *value, int replaces) {
  (void) replaces;
  __lockstep_read_string (name);
  __lockstep_read_string (value);
  __atomic_store_n (&__lockstep_environment, 1, __ATOMIC_SEQ_CST);
  return 0;
}

int putenv (char *text) {
  __lockstep_read_string (text);
  __atomic_store_n (&__lockstep_environment, 1, __ATOMIC_SEQ_CST);
  return 0;
}

int unsetenv (const char *name) { return __lockstep_read_string (name), 0; }

// Any fixed number would do.
int getpid (void) { return 1000; }
int getppid (void) { return 999; }

extern NORETURN void exit (int);

// They print, and unless the status is 0 the program ends.
void error (int status, int number, const char *format, ...) {
  (void) number;
  __lockstep_read_string (format);
  if (status) exit (status);
}

void error_at_line (int status, int number, const char *file, unsigned line, const char *format, ...) {
  if (file) __lockstep_read_string (file);
  (void) line;
  error (status, number, format);
}

int atexit (void (*routine) (void)) {
  extern void __lockstep_unsupported_atexit (void (*) (void));
  __lockstep_unsupported_atexit (routine);
  return 0;
}

// ---- the machine ------------------------------------------------------------------------------------
// What does not change while the program runs is chosen when it is first asked for; `place` is 0 until then.
static int fixed (int *place, int any) {
  int before = 0;
  return __atomic_compare_exchange_n (place, &before, any, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? any : before;
}

// There are processors and pages; of anything else there may be no limit, or none that is known, which is -1.  That is
// so for hardly any name on real machines, so what is found only then is conditional.
long sysconf (int name) {
  enum { PAGE_SIZE_NAME = 30, PROCESSORS_CONFIGURED = 83, PROCESSORS_ONLINE = 84 };
  static int configured;
  if (name == PAGE_SIZE_NAME) return 4096;
  int any = __lockstep_nondet_int (), processors = any < 1 ? 1 : any > 1024 ? 1024 : any;
  if (name == PROCESSORS_CONFIGURED) return fixed (&configured, processors);
  if (name == PROCESSORS_ONLINE) return processors;
  if (__lockstep_nondet_no_limit ()) return -1;
  return any < 1 ? 1 : any;
}

int getpagesize (void) { return 4096; }

int isatty (int file) {
  static int answers[3];  // 1 no, 2 yes; 0: it was not asked
  int any = 1 + __lockstep_nondet_bool ();
  return (file >= 0 && file <= 2 ? fixed (&answers[file], any) : any) - 1;
}

// ---- signals ---------------------------------------------------------------------------------------
// The first word is enough to make the set defined: nothing looks at the rest.
int sigemptyset (unsigned long *set) { return *set = 0, 0; }
int sigfillset (unsigned long *set) { return *set = ~0ul, 0; }
static unsigned long bit_of (int number) { return 1ul << (unsigned) (number - 1) % (8 * sizeof (long)); }
int sigaddset (unsigned long *set, int number) { return *set |= bit_of (number), 0; }
int sigdelset (unsigned long *set, int number) { return *set &= ~bit_of (number), 0; }
int sigismember (const unsigned long *set, int number) { return (*set & bit_of (number)) != 0; }

// Signals never come, so the mask is only there to be read back.
static _Thread_local unsigned long __lockstep_signal_mask;

int pthread_sigmask (int how, const unsigned long *set, unsigned long *old) {
  enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
  unsigned long now = __lockstep_signal_mask;
  if (old) *old = now;
  if (!set) return 0;
  if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  __lockstep_signal_mask = how == SIG_BLOCK ? now | *set : how == SIG_UNBLOCK ? now & ~*set : *set;
  return 0;
}

int sigprocmask (int how, const unsigned long *set, unsigned long *old) {
  int error = pthread_sigmask (how, set, old);
  return error ? __lockstep_fail (error) : 0;
}

// ---- handlers: each is a bound, which the front end adds where one is installed (src/front/handler.c) ----
typedef void (*handler) (int);
enum { SIGNALS = 65 };
static handler __lockstep_handlers[SIGNALS];

static int is_signal (int number) { return number > 0 && number < SIGNALS; }

handler signal (int number, handler new) {
  if (!is_signal (number)) return __lockstep_fail (EINVAL), (handler) -1;
  return __atomic_exchange_n (&__lockstep_handlers[number], new, __ATOMIC_SEQ_CST);
}

handler bsd_signal (int number, handler new) { return signal (number, new); }
handler sysv_signal (int number, handler new) { return signal (number, new); }
handler __sysv_signal (int number, handler new) { return signal (number, new); }

struct disposition {
  handler handler;
  unsigned long mask[128 / sizeof (long)];
  int flags;
  void (*restorer) (void);
};

int sigaction (int number, const struct disposition *new, struct disposition *old) {
  if (!is_signal (number)) return __lockstep_fail (EINVAL);
  handler before = new ? signal (number, new->handler)
                       : __atomic_load_n (&__lockstep_handlers[number], __ATOMIC_SEQ_CST);
  if (old) *old = (struct disposition){.handler = before};
  return 0;
}

// What follows would look different if a handler had run: findings behind it rest on the handler that did not.
static void skip_handler (void) {
  extern _Bool __lockstep_nondet_invented_handler (void);
  __lockstep_assume (!__lockstep_nondet_invented_handler ());
}

// Whatever it waits for may come from outside at any time.
int sigsuspend (const void *set) { return (void) set, skip_handler (), __lockstep_fail (EINTR); }
int pause (void) { return skip_handler (), __lockstep_fail (EINTR); }
int raise (int number) { return (void) number, skip_handler (), 0; }

static int send (int number) {
  if (number != 0) skip_handler ();
  return 0;
}

int kill (int process, int number) { return (void) process, send (number); }
int killpg (int group, int number) { return (void) group, send (number); }
int sigqueue (int process, int number, ...) { return (void) process, send (number); }
int pthread_kill (thread_handle thread, int number) { return (void) thread, send (number); }

// ---- timers that send signals, or start threads that are not modelled -----------------------------
unsigned alarm (unsigned seconds) { return (void) seconds, skip_handler (), 0; }
unsigned ualarm (unsigned first, unsigned next) { return (void) first, (void) next, skip_handler (), 0; }

struct period {
  struct {
    long seconds, fraction;
  } interval, value;
};

static void no_period (struct period *old) {
  if (old) *old = (struct period){.value = {0, 0}};
}

int setitimer (int which, const struct period *new, struct period *old) {
  (void) which, (void) new;
  no_period (old);
  return skip_handler (), 0;
}

int timer_create (int clock, const void *event, void **timer) {
  (void) clock, (void) event;
  *timer = NULL;
  return 0;
}

int timer_settime (void *timer, int flags, const struct period *new, struct period *old) {
  (void) timer, (void) flags, (void) new;
  no_period (old);
  return skip_handler (), 0;
}

int timer_delete (void *timer) { return (void) timer, 0; }
