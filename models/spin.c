// Spin locks: as normal mutexes.  A thread that spins is shown as waiting, not as running in circles.
#include "intrinsics.h"

int pthread_spin_init (void *lock, int shared) {
  (void) shared;
  __lockstep_spin_init (lock);
  return 0;
}

int pthread_spin_lock (void *lock) { return __lockstep_spin_lock (lock); }
int pthread_spin_trylock (void *lock) { return __lockstep_spin_trylock (lock); }
int pthread_spin_unlock (void *lock) { return __lockstep_spin_unlock (lock); }
int pthread_spin_destroy (void *lock) { return __lockstep_spin_destroy (lock); }
