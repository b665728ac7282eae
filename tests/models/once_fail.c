// Two controls are two times once.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once[2] = { PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT };
static int runs;

static void initialise (void) { runs++; }

static void *use (void *arg) {
  pthread_once (arg, initialise);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, use, &once[0]);
  pthread_join (t, NULL);
  use (&once[1]);
  assert (runs == 1);
  return 0;
}
