// Each thread writes `x` right after it took a lock, but not the same one.  Taking a lock moves right, so that nobody needs to run behind it; the encoding lazy
// then had no place at which one thread stands before its access and the other has just made its own.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *first (void *unused) {
  pthread_mutex_lock (&m);
  x = 1;
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&n);
  y = 1;
  pthread_mutex_unlock (&n);
  return unused;
}

static void *second (void *unused) {
  pthread_mutex_lock (&n);
  x = 2;
  pthread_mutex_unlock (&n);
  pthread_mutex_lock (&m);
  z = 1;
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, first, NULL);
  pthread_create (&b, NULL, second, NULL);
  return 0;
}
