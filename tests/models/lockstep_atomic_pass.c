// An atomic region is one step: no update is lost, and regions do not race with each other.
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
  work (NULL);
  pthread_join (t, NULL);
  lockstep_assert (n == 2);
  return 0;
}
