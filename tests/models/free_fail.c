// Freed twice, by two threads.
#include <pthread.h>
#include <stdlib.h>

static void *work (void *arg) {
  free (arg);
  return NULL;
}

int main (void) {
  pthread_t t;
  void *p = malloc (1);
  pthread_create (&t, NULL, work, p);
  work (p);
  pthread_join (t, NULL);
  return 0;
}
