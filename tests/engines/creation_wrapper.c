// All threads are created by one function and start in one function; which of them does what is told by a pointer.  Every thread has a
// variable of its own, unless SHARED.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *first, *second;

static void *run (void *routine) {
  ((void (*) (void)) routine) ();
  return NULL;
}

static pthread_t start (void (*routine) (void)) {
  pthread_t t;
  if (pthread_create (&t, NULL, run, (void *) routine)) abort ();
  return t;
}

static char *get_memory (size_t size) {
  char *p = malloc (size);
  if (!p) abort ();
  return p;
}

static void fill_first (void) { memset (first, 1, 8); }

static void fill_second (void) {
#ifdef SHARED
  memset (first, 2, 8);
#else
  memset (second, 2, 8);
#endif
}

int main (void) {
  first = get_memory (8);
  second = get_memory (8);
  pthread_t a = start (fill_first), b = start (fill_second);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
