// The routine of pthread_once runs once, and is over before any of the calls returns.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void initialise (void) { runs++; }

static void *use (void *arg) {
  pthread_once (&once, initialise);
  assert (runs == 1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, use, NULL);
  use (NULL);
  pthread_join (t, NULL);
  return 0;
}
