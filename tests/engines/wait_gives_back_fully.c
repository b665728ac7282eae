// Waiting gives back a recursive mutex however often it is held, and takes it once.
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, ready;
void *one (void *arg) {
  (void) arg;
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m);
  while (!ready) pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return 0;
}
void *two (void *arg) {
  (void) arg;
  pthread_mutex_lock (&m);
  ready = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return 0;
}
int main (void) {
  pthread_t t, u;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
