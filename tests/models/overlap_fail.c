// Accesses of different sizes that overlap.
#include <pthread.h>

static union { long long whole; char part[8]; } u;

static void *work (void *arg) {
  u.whole = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  u.part[5] = 1;
  pthread_join (t, NULL);
  return 0;
}
