// The classic mistake: every thread gets the address of the same loop variable.
#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *mark (void *arg) {
  int n = *(int *) arg;
  if (n < 2) seen[n] = 1;
  return NULL;
}

int main (void) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; i++) pthread_create (&t[i], NULL, mark, &i);
  for (int k = 0; k < 2; k++) pthread_join (t[k], NULL);
  assert (seen[0] && seen[1]);
  return 0;
}
