// One signal wakes one of two.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open;

static void *pass (void *arg) {
  pthread_mutex_lock (&m);
  while (!open) pthread_cond_wait (&c, &m);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, pass, NULL);
  pthread_create (&u, NULL, pass, NULL);
  pthread_mutex_lock (&m);
  open = 1;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
