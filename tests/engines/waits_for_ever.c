// One way to wait for ever for each primitive; without a definition nobody does.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t sem;
static pthread_t first;
static int ready;

static void again (void) {
#ifdef ONCE
  pthread_once (&once, again);
#endif
}

static void *worker (void *arg) {
  pthread_mutex_lock (&m);
#ifdef ENDED
  return arg;
#endif
#ifdef RELOCK
  pthread_mutex_lock (&m);
#endif
  ready = 1;
#ifndef SIGNAL
  pthread_cond_signal (&c);
#endif
  pthread_mutex_unlock (&m);
  pthread_rwlock_rdlock (&rw);
#ifndef READER
  pthread_rwlock_unlock (&rw);
#endif
  pthread_once (&once, again);
#ifndef POST
  sem_post (&sem);
#endif
#ifndef BARRIER
  pthread_barrier_wait (&barrier);
#endif
#ifdef JOIN
  pthread_join (first, NULL);
#endif
  return arg;
}

int main (void) {
  pthread_t t;
  first = pthread_self ();
  sem_init (&sem, 0, 0);
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_create (&t, NULL, worker, NULL);
  pthread_mutex_lock (&m);
  while (!ready) pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  sem_wait (&sem);
  pthread_barrier_wait (&barrier);
#ifdef READER
  pthread_join (t, NULL);
#endif
  pthread_rwlock_wrlock (&rw);
  pthread_rwlock_unlock (&rw);
#ifndef READER
  pthread_join (t, NULL);
#endif
  return 0;
}
