// The read of `y` is the first access after a lock, behind which no other thread needs to run: that is where the race is.  The encoding lazy let a thread
// give the token behind a read only if it had just taken it there, and called this safe.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int y, z;

static void *reader (void *unused) {
  int seen;
  pthread_mutex_lock (&m);
  seen = y;
  z = seen;
  pthread_mutex_unlock (&m);
  return unused;
}

static void *writer (void *unused) {
  y = 1;
  pthread_mutex_lock (&m);
  z = 1;
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, writer, NULL);
  return 0;
}
