// Memory handed from one thread to another, used and freed there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work (void *arg) {
  int *n = arg;
  assert (*n == 1);
  free (n);
  return NULL;
}

int main (void) {
  pthread_t t;
  int *n = malloc (sizeof *n);
  *n = 1;
  pthread_create (&t, NULL, work, n);
  pthread_join (t, NULL);
  return 0;
}
