// A thread that waits for a lock it holds goes on once others give that lock back, and one that makes a lock anew no longer holds it.  Engine locks took
// the first to wait for ever, and the second to keep others out.  WHICH is 1 to 5.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int taken;
static int x;

static void take (void) {
  int nobody = 0;
  while (!atomic_compare_exchange_strong (&taken, &nobody, 1)) nobody = 0;
}

static void *wait_twice (void *unused) {
#if WHICH == 1
  pthread_mutex_lock (&m);
  pthread_mutex_lock (&m);
#elif WHICH == 2
  take ();
  take ();
#else
  pthread_mutex_lock (&m);
  if (!pthread_mutex_trylock (&m))
#endif
  x++;
  return unused;
}

static void *let_through (void *unused) {
#if WHICH == 2
  taken = 0;
#else
  pthread_mutex_unlock (&m);
#endif
  x++;
  return unused;
}

static void *locked (void *unused) {
  pthread_mutex_lock (&m);
  x++;
  pthread_mutex_unlock (&m);
  return unused;
}

int main (void) {
  pthread_t thread, other;
#if WHICH <= 3
  pthread_create (&thread, NULL, wait_twice, NULL);
  pthread_create (&other, NULL, let_through, NULL);
  (void) locked;
#else
  pthread_mutex_lock (&m);
#if WHICH == 4
  pthread_mutex_init (&m, NULL);
#else
  memset (&m, 0, sizeof m);
#endif
  pthread_create (&thread, NULL, locked, NULL);
  x++;
  (void) other, (void) wait_twice, (void) let_through, (void) take;
#endif
  return 0;
}
