// Two threads that have nothing to do with each other, and a third that sees what both did.  Each of the two could go first, so neither order may be left out
// because of the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *first (void *unused) {
  x = 1;
  return unused;
}

static void *second (void *unused) {
  y = 1;
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (!(x && y));
  return 0;
}
