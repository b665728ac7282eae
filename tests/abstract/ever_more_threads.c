// Threads for ever: only so many are in the machine, so nothing is proved about the others.
#include <assert.h>
#include <pthread.h>

static int x;

static void *look (void *unused) {
  assert (x == 0);
  return unused;
}

int main (void) {
  for (;;) {
    pthread_t a;
    pthread_create (&a, NULL, look, NULL);
  }
}
