// A buffer of two places between threads that produce and consume for ever, with a mutex and two condition variables (C. A. R. Hoare, Monitors, 1974, section 3).  Wrong: waits only once
// for a free place, though another producer may have taken it when the thread comes to it.
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifdef WRONG
#define wait_while if
#else
#define wait_while while
#endif

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
unsigned char filled;

static void *produce (void *argument) {
  for (;;) {
    pthread_mutex_lock (&m);
    wait_while (filled == SIZE) pthread_cond_wait (&not_full, &m);
    assert (filled < SIZE);
    filled++;
    pthread_cond_signal (&not_empty);
    pthread_mutex_unlock (&m);
  }
  return argument;
}

static void *consume (void *argument) {
  for (;;) {
    pthread_mutex_lock (&m);
    while (!filled) pthread_cond_wait (&not_empty, &m);
    filled--;
    pthread_cond_signal (&not_full);
    pthread_mutex_unlock (&m);
  }
  return argument;
}

int main (void) {
  pthread_t producers[PRODUCERS], consumer;
  for (int k = 0; k < PRODUCERS; k++) pthread_create (&producers[k], 0, produce, 0);
  pthread_create (&consumer, 0, consume, 0);
  pthread_join (consumer, 0);
}
