// Thread attributes keep what was set; a detached start makes a thread nobody has to join.
#include <assert.h>
#include <pthread.h>

static void *work (void *arg) { return arg; }

int main (void) {
  pthread_attr_t attr;
  pthread_t t;
  int state;
  size_t size;
  assert (pthread_attr_init (&attr) == 0);
  pthread_attr_getdetachstate (&attr, &state);
  assert (state == PTHREAD_CREATE_JOINABLE);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_getdetachstate (&attr, &state);
  assert (state == PTHREAD_CREATE_DETACHED);
  assert (pthread_attr_setstacksize (&attr, 1 << 20) == 0);
  pthread_attr_getstacksize (&attr, &size);
  assert (size == 1 << 20);
  assert (pthread_create (&t, &attr, work, NULL) == 0);
  pthread_attr_destroy (&attr);
  pthread_exit (NULL);
}
