// Unlocking a spin lock that is free.
#include <pthread.h>

int main (void) {
  pthread_spinlock_t lock;
  pthread_spin_init (&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_unlock (&lock);
  return 0;
}
