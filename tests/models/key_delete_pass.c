// A deleted key no longer runs its destructor.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int runs;

static void mark (void *value) { ++*(int *) value; }

static void *work (void *arg) {
  pthread_setspecific (key, &runs);
  pthread_key_delete (key);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_key_create (&key, mark);
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  assert (runs == 0);
  return 0;
}
