// The cancellation state is kept per thread and handed back; testing for a request nobody made does nothing.
#include <assert.h>
#include <pthread.h>

int main (void) {
  int old;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &old);
  assert (old == PTHREAD_CANCEL_ENABLE);
  pthread_setcancelstate (old, &old);
  assert (old == PTHREAD_CANCEL_DISABLE);
  pthread_setcanceltype (PTHREAD_CANCEL_DEFERRED, &old);
  assert (old == PTHREAD_CANCEL_DEFERRED);
  pthread_testcancel ();
  return 0;
}
