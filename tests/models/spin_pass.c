// Two threads count under a spin lock.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *work (void *arg) {
  pthread_spin_lock (&lock);
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
  assert (count == 2);
  assert (pthread_spin_destroy (&lock) == 0);
  return 0;
}
