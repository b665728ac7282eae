// Who holds the mutex fills it with a free one and goes on: from then on nothing is protected.  The encoding lazy took the lock for held, and called this safe.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int z;

static void *user (void *unused) {
  pthread_mutex_lock (&m);
  z = 2;
  pthread_mutex_unlock (&m);
  return unused;
}

static void *vandal (void *unused) {
  pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&m);
  m = fresh;
  z = 1;
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, user, NULL);
  pthread_create (&b, NULL, vandal, NULL);
  return 0;
}
