// Without pthread_key_delete the destructor runs when the thread ends.
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
