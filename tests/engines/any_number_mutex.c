// Threads without end, one at a time in what a mutex protects.  -DFORGETS: one of them does not wait for it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker (void *arg) {
#ifdef FORGETS
  if (pthread_mutex_trylock (&lock)) return arg;
  pthread_mutex_unlock (&lock);
#else
  pthread_mutex_lock (&lock);
#endif
  inside++;
  assert (inside == 1);
  inside--;
#ifndef FORGETS
  pthread_mutex_unlock (&lock);
#endif
  return arg;
}

int main (void) {
  pthread_t thread;
  for (;;) pthread_create (&thread, NULL, worker, NULL);
}
