// A thread gets its argument, and what it writes is there after the join.
#include <assert.h>
#include <pthread.h>

static void *twice (void *arg) {
  int *n = arg;
  *n *= 2;
  return NULL;
}

int main (void) {
  int a = 3, b = 4;
  pthread_t t, u;
  pthread_create (&t, NULL, twice, &a);
  pthread_create (&u, NULL, twice, &b);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  assert (a == 6 && b == 8);
  return 0;
}
