// The reads and writes of a copy are accesses like others.
#include <pthread.h>
#include <string.h>

static char from[4], to[4];

static void *work (void *arg) {
  from[3] = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  volatile size_t all = 4;
  pthread_create (&t, NULL, work, NULL);
  memcpy (to, from, all);
  pthread_join (t, NULL);
  return 0;
}
