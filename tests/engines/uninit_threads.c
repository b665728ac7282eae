// One thread writes what the other reads: before or after a join, under a lock or by a flag; arguments and results of threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *cell;
atomic_int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer (void *argument) {
  pthread_mutex_lock (&m);
#ifdef ATOMIC
  __atomic_store_n (cell, 1, __ATOMIC_SEQ_CST);
#else
  *cell = 1;
#endif
  pthread_mutex_unlock (&m);
  ready = 1;
#ifdef ARGUMENT
  if (argument) return NULL;
#endif
#ifdef RESULT
  void *result;
  return result;
#else
  return NULL;
#endif
}

int main (void) {
  pthread_t t;
  void *nothing = NULL, *result;
#ifdef ARGUMENT
  void *unset;
  nothing = unset;
#endif
  cell = malloc (sizeof *cell);
  pthread_create (&t, NULL, writer, nothing);
#if defined BEFORE || defined LOCKED
  pthread_mutex_lock (&m);
  if (*cell) ready = 2;
  pthread_mutex_unlock (&m);
#elif defined ATOMIC
  if (__atomic_load_n (cell, __ATOMIC_SEQ_CST)) ready = 2;
#elif defined FLAG
  if (ready)
    if (*cell != 1) abort ();
#endif
  pthread_join (t, &result);
  if (*cell != 1) abort ();
  if (result) abort ();
  free (cell);
  return 0;
}
