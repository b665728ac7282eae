// Waits that a signal handler may end, which is not run.  A deadlock of such a wait rests on that; one of locks does not.
//   POST   the handler posts the semaphore       FLAG    it sets a flag, but its signal ends sem_wait with EINTR
//   COND   it signals a condition variable       SILENT  it sets a flag, which ends no wait at a condition variable
//   LOCKS  two threads wait for each other's locks, whatever the handler does
//   STRUCT as POST, installed by sigaction
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
static sem_t stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static volatile sig_atomic_t flag;
static void set (int number) { flag = number; }
static void post (int number) { sem_post (&stop); }
static void wake (int number) { pthread_cond_signal (&c); }
static void *other (void *argument) {
  pthread_mutex_lock (&n);
  pthread_mutex_lock (&m);
  pthread_mutex_unlock (&m);
  pthread_mutex_unlock (&n);
  return argument;
}
static void wait_for_signal (void) {
  pthread_mutex_lock (&m);
  pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
}
int main (void) {
  sem_init (&stop, 0, 0);
#if defined POST
  signal (SIGINT, post);
  sem_wait (&stop);
#elif defined STRUCT
  struct sigaction a = {.sa_handler = post};
  sigaction (SIGINT, &a, NULL);
  sem_wait (&stop);
#elif defined FLAG
  signal (SIGINT, set);
  sem_wait (&stop);
#elif defined COND
  signal (SIGINT, wake);
  wait_for_signal ();
#elif defined SILENT
  signal (SIGINT, set);
  wait_for_signal ();
#elif defined LOCKS
  signal (SIGINT, post);
  pthread_t t;
  pthread_create (&t, NULL, other, NULL);
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&n);
  pthread_mutex_unlock (&n);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
#endif
  return 0;
}
