// What one thread puts under a key is not there for another.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *work (void *arg) {
  assert (pthread_getspecific (key) != NULL);
  return arg;
}

int main (void) {
  int value;
  pthread_t t;
  pthread_key_create (&key, NULL);
  pthread_setspecific (key, &value);
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
  return 0;
}
