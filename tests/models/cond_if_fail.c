// Two consumers test with `if`: the one woken may find the item already taken.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume (void *arg) {
  pthread_mutex_lock (&m);
  if (items == 0) pthread_cond_wait (&c, &m);
  items--;
  assert (items >= 0);
  pthread_mutex_unlock (&m);
  return arg;
}

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, consume, NULL);
  pthread_create (&u, NULL, consume, NULL);
  pthread_mutex_lock (&m);
  items++;
  pthread_cond_signal (&c);
  pthread_mutex_unlock (&m);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
