// A spin lock and a mutex in opposite orders.
#include <pthread.h>

static pthread_spinlock_t lock;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work (void *arg) {
  pthread_spin_lock (&lock);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_spin_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_spin_init (&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create (&t, NULL, work, NULL);
  pthread_mutex_lock (&m);
  pthread_spin_lock (&lock);
  pthread_spin_unlock (&lock);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  return 0;
}
