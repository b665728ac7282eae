// A once routine that waits for a thread standing at the same pthread_once.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t t;

static void initialise (void) { pthread_join (t, NULL); }

static void *use (void *arg) {
  pthread_once (&once, initialise);
  return arg;
}

int main (void) {
  pthread_create (&t, NULL, use, NULL);
  pthread_once (&once, initialise);
  return 0;
}
