// The destructor frees the value at pthread_exit; the joining thread frees it again.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work (void *arg) {
  void *value = malloc (1);
  pthread_setspecific (key, value);
  pthread_exit (value);
  return arg;
}

int main (void) {
  pthread_t t;
  void *value;
  pthread_key_create (&key, free);
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, &value);
  free (value);
  return 0;
}
