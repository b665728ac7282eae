// The flag is tested but the answer ignored.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;

static void *work (void *arg) {
  atomic_flag_test_and_set (&lock);
  x++;
  atomic_flag_clear (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
