// Test and set in two steps: both may win.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int winners;

static void *work (void *arg) {
  if (owner == 0) {
    owner = 1;
    winners++;
  }
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
