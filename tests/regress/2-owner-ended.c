// Both executors: the owner of a mutex had ended, and the next thread in its slot was taken for the owner.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder (void *arg) {
  pthread_mutex_lock (&m);
  return arg;
}

static void *next (void *arg) {
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, holder, NULL);
  pthread_join (t, NULL);
  pthread_create (&t, NULL, next, NULL);
  pthread_join (t, NULL);
  return 0;
}
