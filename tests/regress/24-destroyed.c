// A spin lock that was destroyed may be initialised again: its one word tells both, and order and circuit took
// "destroyed" for an owner. A thread that waits at a destroyed semaphore stays there: explicit went on behind it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_spinlock_t lock;
static sem_t semaphore;

int main (void) {
#ifdef WAIT
  sem_init (&semaphore, 0, 0);
  sem_destroy (&semaphore);
  sem_wait (&semaphore);
  assert (0);
#else
  pthread_spin_init (&lock, 0);
  pthread_spin_destroy (&lock);
  pthread_spin_init (&lock, 0);
  pthread_spin_lock (&lock);
  pthread_spin_unlock (&lock);
#endif
  return 0;
}
