// After pthread_key_delete no destructor runs for values that are still there.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int runs;

static void destructor (void *value) {
  (void) value;
  runs++;
}

static void *worker (void *arg) {
  pthread_setspecific (key, &runs);
  pthread_key_delete (key);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_key_create (&key, destructor);
  pthread_create (&t, NULL, worker, NULL);
  pthread_join (t, NULL);
  assert (runs == 0);
  return 0;
}
