// The first thread waits for one that waits for another.  Both compare handles with their own, as joining does, but nobody is told the first one's.
#include <pthread.h>

static void *end (void *unused) { return unused; }

static void *go_between (void *unused) {
  pthread_t t;
  pthread_create (&t, NULL, end, NULL);
  pthread_join (t, NULL);
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, go_between, NULL);
  pthread_join (t, NULL);
  return 0;
}
