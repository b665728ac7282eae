// A barrier that nobody has initialised: engine locks does not look at that, so it must not deny it.
#include <pthread.h>

static pthread_barrier_t b;

int main (void) {
  pthread_barrier_wait (&b);
  return 0;
}
