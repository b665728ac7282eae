// Functions of system headers that wait, do not return, or run functions of the program: what follows is conditional.
#define _GNU_SOURCE
#include <assert.h>
#include <error.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/select.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef LISTEN
#include <library.h>
#endif

static int shared, ends[2], visited;
static ucontext_t first, second;

static int visit (const char *path, const struct stat *s, int kind) { return visited = 1, 0; }
static int compare (const void *a, const void *b) { return *(const int *) a - *(const int *) b; }
static void run (void) { visited = 1; }

static void wait_for_main (void) {
#ifdef SIGWAIT
  sigset_t set;
  int number;
  sigfillset (&set);
  sigwait (&set, &number);
#elif defined PIPE
  char c;
  read (ends[0], &c, 1);
#elif defined POLL
  struct pollfd p = {0, POLLIN, 0};
  poll (&p, 1, -1);
#elif defined FLOCK
  flock (ends[0], LOCK_EX);
#elif defined FLOCKFILE
  flockfile (stdout);
#elif defined SLEEP
  struct timeval t = {0, 1};
  select (0, NULL, NULL, NULL, &t);
#elif defined INPUT
  char c;
  read (0, &c, 1);
#endif
}

static void *work (void *unused) {
  wait_for_main ();
  shared++;
  return unused;
}

static void race (void) {
  pthread_t t;
#ifdef PIPE
  pipe (ends);
#endif
  pthread_create (&t, NULL, work, NULL);
  shared++;
  pthread_join (t, NULL);
}

int main (int argc, char **argv) {
#ifdef EXEC
  execv ("/bin/true", argv);
  assert (0);
#elif defined ERROR
  if (argc < 2) error (1, 0, "usage");
  assert (argc >= 2);
#elif defined WARNING
  if (argc < 2) error (0, 0, "usage");
  assert (argc >= 2);
#elif defined WALK
  ftw (".", visit, 4);
  assert (visited);
#elif defined WALK_POINTER
  __ftw_func_t f = argc > 1 ? visit : NULL;
  ftw (".", f, 4);
  assert (visited);
#elif defined COMPARE
  int numbers[2] = {1, 2}, key = 3;
  size_t count = 2;
  lfind (&key, numbers, &count, sizeof key, compare);
  assert (visited);
#elif defined CONTEXT
  getcontext (&second);
  makecontext (&second, run, 0);
  swapcontext (&first, &second);
  assert (visited);
#elif defined LISTEN
  static const struct library_events events = {run};
  library_listen (&events);
  assert (visited);
#else
  race ();
#endif
  return 0;
}
