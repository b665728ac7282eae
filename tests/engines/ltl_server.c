// A server that grants requests, and a client that makes them.  FORGETS: a second request before the first was granted is lost.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int request, granted, done;

static void *server (void *arg) {
  pthread_mutex_lock (&m);
  while (!done) {
    while (!request && !done) pthread_cond_wait (&changed, &m);
#ifdef FORGETS
    request = 0;
#endif
    if (request) {
      granted = 1;
      request = 0;
      pthread_cond_broadcast (&changed);
    }
  }
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, 0, server, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock (&m);
    request = 1;
    pthread_cond_broadcast (&changed);
    while (!granted) pthread_cond_wait (&changed, &m);
    granted = 0;
    pthread_mutex_unlock (&m);
  }
  pthread_mutex_lock (&m);
  done = 1;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&m);
  pthread_join (t, 0);
  return 0;
}
