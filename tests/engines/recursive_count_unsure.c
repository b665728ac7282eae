// A recursive mutex held twice; a vague unlock of another lock; one unlock: it is still held once.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t d = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
#include <stdio.h>
pthread_mutex_t *locks[2];
int which = 1;
void *one (void *arg) {
  (void) arg;
  pthread_mutex_lock (&c);
  pthread_mutex_lock (&d);
  pthread_mutex_lock (&d);
  pthread_mutex_unlock (locks[which]);  // c
  pthread_mutex_unlock (&d);
  pthread_mutex_lock (&b);
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&d);
  return 0;
}
void *two (void *arg) {
  (void) arg;
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&d);
  pthread_mutex_unlock (&d);
  pthread_mutex_unlock (&b);
  return 0;
}
int main (void) {
  pthread_t t, u;
  locks[0] = &d; locks[1] = &c;
  pthread_create (&t, 0, one, 0);
  pthread_create (&u, 0, two, 0);
  pthread_join (t, 0); pthread_join (u, 0);
  return 0;
}
