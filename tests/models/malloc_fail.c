// One thread frees what the other still uses.
#include <pthread.h>
#include <stdlib.h>

static void *work (void *arg) {
  free (arg);
  return NULL;
}

int main (void) {
  pthread_t t;
  int *n = malloc (sizeof *n);
  pthread_create (&t, NULL, work, n);
  *n = 1;
  pthread_join (t, NULL);
  return 0;
}
