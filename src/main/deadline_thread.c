// The last resort when a limit is exceeded: a thread that checks the budget while the process does work that cannot
// check it.
//
// clang's children and the long loops of lockstep are polled and end in an orderly way.  Reading a pipe to which no
// process writes, LLVM working on a large module, and the translation of such a module cannot be interrupted.  In these
// cases the thread reports the reason a moment after the limit and ends the process.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "main/main_impl.h"

enum { WAKE_UP_MILLISECONDS = 20 };
static const double GRACE = 0.15;  // seconds for an orderly end

struct deadline_thread {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_over;  // the work has ended; protected by the lock
  budget budget;
  deadline_action *end;
  void *state;
};

static struct timespec next_wake_up (void) {
  struct timespec t;
  clock_gettime (CLOCK_REALTIME, &t);
  t.tv_nsec += WAKE_UP_MILLISECONDS * 1000L * 1000L;
  t.tv_sec += t.tv_nsec / 1000000000L;
  t.tv_nsec %= 1000000000L;
  return t;
}

static void *wait_for_deadline (void *state) {
  deadline_thread *w = state;
  double since = 0;
  pthread_mutex_lock (&w->lock);
  while (!w->is_over) {
    struct timespec t = next_wake_up ();
    pthread_cond_timedwait (&w->changed, &w->lock, &t);
    const char *why = w->is_over ? NULL : budget_spent (&w->budget);
    if (!why) since = 0;
    else if (!since) since = budget_now ();
    else if (budget_now () - since > GRACE)
      w->end (w->state, why);  // holding the lock: deadline_thread_stop waits and does not return
  }
  pthread_mutex_unlock (&w->lock);
  return NULL;
}

deadline_thread *deadline_thread_start (const budget *b, deadline_action *end, void *state) {
  deadline_thread *w = calloc (1, sizeof *w);
  if (!w) return NULL;
  budget_part (&w->budget, b, 0);  // a spent budget here must not mark an engine's answer
  w->end = end;
  w->state = state;
  pthread_mutex_init (&w->lock, NULL);
  pthread_cond_init (&w->changed, NULL);
  if (!pthread_create (&w->thread, NULL, wait_for_deadline, w)) return w;
  free (w);
  return NULL;
}

void deadline_thread_stop (deadline_thread *w) {
  if (!w) return;
  pthread_mutex_lock (&w->lock);
  w->is_over = true;
  pthread_cond_signal (&w->changed);
  pthread_mutex_unlock (&w->lock);
  pthread_join (w->thread, NULL);
  pthread_cond_destroy (&w->changed);
  pthread_mutex_destroy (&w->lock);
  free (w);
}

// Does not wait for output that the main thread is printing at this moment.
void deadline_end_command (void *state, const char *why) {
  const options *o = state;
  bool has_verdict = o->command == FOR_REPLAY || (o->command == FOR_CIRCUIT && o->value[OPT_CHECK_CERTIFICATE].text);
  diag_error (NULL, 0, 0, "stopped: %s", why);
  if (!ftrylockfile (stdout)) {
    if (has_verdict) printf ("VERDICT: UNKNOWN (%s)\n", why);
    fflush (stdout);
  }
  _exit (EXIT_UNKNOWN);
}
