// `p` never has another value, but it is written and read at the same time.  The encodings lazy and eager made it a constant, and the accesses with it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int other;
static int *p = &other;

static void *reader (void *unused) {
  pthread_mutex_lock (&m);
  (*p)++;
  pthread_mutex_unlock (&m);
  return unused;
}

static void *writer (void *unused) {
  pthread_mutex_lock (&m);
  other++;
  pthread_mutex_unlock (&m);
  p = &other;
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, writer, NULL);
  return 0;
}
