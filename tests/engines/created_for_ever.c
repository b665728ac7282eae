// Threads are created in a loop that does nothing else: one point of the machine, which leads to itself.  The encodings lazy and eager, and the engine
// circuit, took it for one that is passed once, and knew of one thread only.
#include <assert.h>
#include <pthread.h>

static int x;

static void *count (void *unused) {
  x++;
#ifdef HARMLESS
  assert (x != 0);  // as long as there are fewer than 2^32 of them
#else
  assert (x < 2);
#endif
  return unused;
}

int main (void) {
  pthread_t thread;
  while (1) pthread_create (&thread, NULL, count, NULL);
}
