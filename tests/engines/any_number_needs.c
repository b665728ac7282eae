// The bug needs N threads that meet.  With more than there are in a machine of fixed size it is not found; but it must not be called safe.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar count;

static void *worker (void *arg) {
  unsigned char n = (unsigned char) (atomic_fetch_add (&count, 1) + 1);
  assert (n < N);
  atomic_fetch_sub (&count, 1);
  return arg;
}

int main (void) {
  pthread_t thread;
  for (;;) pthread_create (&thread, NULL, worker, NULL);
}
