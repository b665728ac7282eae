// The last resort when a limit is passed: a thread that looks at the budget while this process does what cannot ask for itself.
//
// clang's children and long loops of our own are polled and end in good order.  Reading a pipe that no process writes to, LLVM at work on a
// large module, or the translation of it cannot be interrupted; then this thread, a moment after the limit, says what there is to say and
// ends the process.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "main/main_impl.h"

enum { TURN_MILLISECONDS = 20 };
static const double GRACE = 0.15;  // seconds for an end in good order

struct watch {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_over;  // the work has ended; guarded by the lock
  budget budget;
  watch_end *end;
  void *state;
};

static struct timespec soon (void) {
  struct timespec t;
  clock_gettime (CLOCK_REALTIME, &t);
  t.tv_nsec += TURN_MILLISECONDS * 1000L * 1000L;
  t.tv_sec += t.tv_nsec / 1000000000L;
  t.tv_nsec %= 1000000000L;
  return t;
}

static void *look (void *state) {
  watch *w = state;
  double since = 0;
  pthread_mutex_lock (&w->lock);
  while (!w->is_over) {
    struct timespec t = soon ();
    pthread_cond_timedwait (&w->changed, &w->lock, &t);
    const char *why = w->is_over ? NULL : budget_spent (&w->budget);
    if (!why) since = 0;
    else if (!since) since = budget_now ();
    else if (budget_now () - since > GRACE)
      w->end (w->state, why);  // with the lock: watch_stop waits, and does not return
  }
  pthread_mutex_unlock (&w->lock);
  return NULL;
}

watch *watch_start (const budget *b, watch_end *end, void *state) {
  watch *w = calloc (1, sizeof *w);
  if (!w) return NULL;
  budget_part (&w->budget, b, 0);  // what is seen here is no mark on the answer of an engine
  w->end = end;
  w->state = state;
  pthread_mutex_init (&w->lock, NULL);
  pthread_cond_init (&w->changed, NULL);
  if (!pthread_create (&w->thread, NULL, look, w)) return w;
  free (w);
  return NULL;
}

void watch_stop (watch *w) {
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

// What the main thread is printing at this moment is not waited for.
void watch_end_command (void *state, const char *why) {
  const options *o = state;
  bool has_verdict = o->command == FOR_REPLAY || (o->command == FOR_CIRCUIT && o->value[OPT_CHECK_CERTIFICATE].text);
  diag_error (NULL, 0, 0, "stopped: %s", why);
  if (!ftrylockfile (stdout)) {
    if (has_verdict) printf ("VERDICT: UNKNOWN (%s)\n", why);
    fflush (stdout);
  }
  _exit (EXIT_UNKNOWN);
}
