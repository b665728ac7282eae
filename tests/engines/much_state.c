// More bits of state than a circuit is made for: the answer should come at once, and say why.
#include <assert.h>
#include <pthread.h>

static long many[1200];

static void *sum (void *unused) {
  for (int k = 1; k < 1200; k++) many[k] += many[k - 1];
  return unused;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, NULL, sum, NULL);
  sum (NULL);
  assert (many[7] == 0);
  pthread_join (thread, NULL);
}
