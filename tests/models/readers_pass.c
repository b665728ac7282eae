// Two reads never race.
#include <pthread.h>

static int x = 3;
static int sum[2];

static void *work (void *arg) {
  sum[0] = x;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  sum[1] = x;
  pthread_join (t, NULL);
  return 0;
}
