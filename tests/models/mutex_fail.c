// Each thread has its own mutex, so nobody is excluded.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int count;

static void *work (void *arg) {
  pthread_mutex_lock (arg);
  count++;
  pthread_mutex_unlock (arg);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, &m[0]);
  work (&m[1]);
  pthread_join (t, NULL);
  assert (count == 2);
  return 0;
}
