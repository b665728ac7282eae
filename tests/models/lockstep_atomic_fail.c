// A region does not protect against accesses outside of any.
#include <lockstep.h>
#include <pthread.h>

static int n;

static void *work (void *arg) {
  lockstep_atomic_begin ();
  n++;
  lockstep_atomic_end ();
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  n = 5;
  pthread_join (t, NULL);
  return 0;
}
