// Signals that a handler would take: what follows where it was not run is no bug, and a program that installs one is not proved.
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <pthread.h>
#include <stdlib.h>
static int got;
static void handler (int number) { got = number; }
static void nothing (int number) {}
static void set (struct sigaction *a) { a->sa_handler = handler; }
static struct { int words[8]; } from, to;
static void copy (int number) { to = from; }
int main (void) {
#ifdef SIGACTION
  struct sigaction a = {.sa_handler = handler}, old;
  sigaction (SIGUSR1, &a, &old);
  assert (old.sa_handler == SIG_DFL);
#elif defined NOTHING
  signal (SIGUSR1, nothing);
#elif defined SET
  struct sigaction a = {.sa_handler = nothing};
  set (&a);
  sigaction (SIGUSR1, &a, NULL);
#elif defined COPY
  signal (SIGUSR1, copy);
#elif defined IGNORE
  assert (signal (SIGPIPE, SIG_IGN) == SIG_DFL);
  assert (signal (SIGPIPE, SIG_DFL) == SIG_IGN);
#elif defined MASK
  sigset_t set, old;
  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  pthread_sigmask (SIG_BLOCK, &set, &old);
  assert (!sigismember (&old, SIGINT));
  pthread_sigmask (SIG_SETMASK, &old, &set);
  assert (sigismember (&set, SIGINT));
#elif defined BSD
  __sysv_signal (SIGUSR1, handler);
#else
  signal (SIGUSR1, handler);
#endif
#ifdef RAISE
  raise (SIGUSR1);
#elif defined KILL
  kill (getpid (), SIGUSR1);
#elif defined KILLPG
  killpg (0, SIGUSR1);
#elif defined PTHREAD_KILL
  pthread_kill (pthread_self (), SIGUSR1);
#elif defined SIGQUEUE
  union sigval v = {0};
  sigqueue (getpid (), SIGUSR1, v);
#elif defined ALARM
  alarm (1);
  sleep (2);
#elif defined SETITIMER
  struct itimerval t = {{0, 0}, {0, 5}};
  setitimer (ITIMER_REAL, &t, NULL);
#elif defined TIMER
  struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec t = {{0, 0}, {0, 5}};
  timer_t timer;
  timer_create (CLOCK_REALTIME, &e, &timer);
  timer_settime (timer, 0, &t, NULL);
#elif defined PAUSE
  pause ();
#elif defined SUSPEND
  sigset_t s;
  sigemptyset (&s);
  sigsuspend (&s);
#endif
#ifndef CLEAN
  assert (got);
#endif
  return 0;
}
