// The first thread is started at one of two places, and memory is not the same there: behind a lock that is held, or before it is taken; with x = 1
// or with x = 2.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool (void);

static int x, global, *heap;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *look (void *expected) {
  assert (x == *(int *) expected && *heap == *(int *) expected);
#ifndef FIRST_WAITS
  if (*(int *) expected == 1) return NULL;
#endif
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  global++;
  return NULL;
}

int main (void) {
  static int one = 1, two = 2;
  pthread_t t;
  if (__VERIFIER_nondet_bool ()) {
    heap = malloc (sizeof *heap);
    *heap = x = 1;
    pthread_mutex_lock (&m);
    pthread_create (&t, NULL, look, &one);
  } else {
    heap = malloc (2 * sizeof *heap);
    *heap = x = 2;
    pthread_create (&t, NULL, look, &two);
#ifdef WRONG
    *heap = 3;
#endif
#ifndef SECOND_RACES
    pthread_join (t, NULL);
#endif
    pthread_mutex_lock (&m);
  }
  global++;
  pthread_mutex_unlock (&m);
  pthread_exit (NULL);
}
