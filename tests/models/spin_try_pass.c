// A try of a spin lock gets it or says EBUSY.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *work (void *arg) {
  int error = pthread_spin_trylock (&lock);
  assert (error == 0 || error == EBUSY);
  if (error) return arg;
  count++;
  pthread_spin_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_spin_init (&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
