// A semaphore as a mutex: two threads and main count under it.  Each WHICH breaks one of the conditions, and then they race:
// 1 starts with 2, 2 starts with a number that is not known, 3 is posted once too often, 4 by a thread that did not wait, 5 if an attempt failed,
// 6 if it took too long, 7 is initialised again while others run, 8 by who holds it, 9 is copied from another one with 2, 10 is written to,
// 11 there are two of them, 12 one of two is taken and the other one posted, 13 the wait is skipped on some paths.
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#ifndef WHICH
#define WHICH 0
#endif
extern int __VERIFIER_nondet_int (void);

static sem_t s, t;
static int x;

static void enter (void *which) {
  struct timespec never = {0};
  switch (WHICH) {
  case 5: sem_trywait (&s); break;
  case 6: sem_timedwait (&s, &never); break;
  case 11: sem_wait (which ? &s : &t); break;
  case 12: sem_wait (which ? &s : &t); break;
  case 13:
    if (__VERIFIER_nondet_int ()) sem_wait (&s);
    break;
  default: sem_wait (&s);
  }
}

static void leave (void *which) {
  if (WHICH == 3) sem_post (&s);
  sem_post (WHICH == 11 && !which ? &t : &s);
}

static void *count (void *which) {
  if (WHICH == 4 && which) sem_post (&s);
  if (WHICH == 7 && which) sem_init (&s, 0, 1);
  enter (which);
  x++;
  leave (which);
  return NULL;
}

static void *try_to_count (void *unused) {
  struct timespec never = {0};
  if (!sem_trywait (&s)) x++, sem_post (&s);
  if (!sem_timedwait (&s, &never)) x++, sem_post (&s);
  return unused;
}

static void make (void) {
#if WHICH == 1
  sem_init (&s, 0, 2);
#elif WHICH == 2
  sem_init (&s, 0, (unsigned) __VERIFIER_nondet_int () % 3);
#else
  sem_init (&s, 0, 1);
#endif
  sem_init (&t, 0, WHICH == 9 ? 2 : 1);
#if WHICH == 8
  sem_wait (&s);
  sem_init (&s, 0, 1);
#elif WHICH == 9
  memcpy (&s, &t, sizeof s);
#elif WHICH == 10
  *(int *) &s = 2;
#endif
}

int main (void) {
  pthread_t one, two;
  make ();
  pthread_create (&one, NULL, count, NULL);
#if WHICH == 8
  x++;
  sem_post (&s);
#endif
  pthread_create (&two, NULL, WHICH ? count : try_to_count, &one);
  sem_wait (&s);
  x++;
  sem_post (&s);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  sem_destroy (&s);
  return x;
}
