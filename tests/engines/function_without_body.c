// What `tell` does is not known, so nothing is proved.  The encodings lazy and eager, and the engine circuit, said safe.
#include <assert.h>
#include <pthread.h>

extern void tell (int);
static int x;

static void *work (void *unused) {
  tell (x);
  assert (x == 0);
  return unused;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  return 0;
}
