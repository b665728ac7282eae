// Threads without end that wait for each other: who is signalled may be one of whom nothing is known.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned char busy, inside;

static void *worker (void *arg) {
  pthread_mutex_lock (&lock);
  while (busy) pthread_cond_wait (&changed, &lock);
  busy = 1;
  pthread_mutex_unlock (&lock);
  inside = 1;
  assert (inside == 1);
  inside = 0;
  pthread_mutex_lock (&lock);
  busy = 0;
  pthread_cond_signal (&changed);
  pthread_mutex_unlock (&lock);
  return arg;
}

int main (void) {
  pthread_t thread;
  for (;;) pthread_create (&thread, NULL, worker, NULL);
}
