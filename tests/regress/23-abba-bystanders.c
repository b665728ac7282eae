// Two orders of two locks are one deadlock, whichever of the six threads meet in it and whichever others wait for these: it was reported
// once for each set of blocked threads, 14 times.  With -DTWO there is a second, independent pair of locks, hence a second deadlock.
#include <pthread.h>

enum { THREADS = 6 };
static pthread_mutex_t lock[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                 PTHREAD_MUTEX_INITIALIZER};

static void *up (void *unused) {
  pthread_mutex_lock (&lock[0]);
  pthread_mutex_lock (&lock[1]);
  pthread_mutex_unlock (&lock[1]);
  pthread_mutex_unlock (&lock[0]);
  return unused;
}

static void *down (void *unused) {
  pthread_mutex_lock (&lock[1]);
  pthread_mutex_lock (&lock[0]);
  pthread_mutex_unlock (&lock[0]);
  pthread_mutex_unlock (&lock[1]);
  return unused;
}

static void *other_up (void *unused) {
  pthread_mutex_lock (&lock[2]);
  pthread_mutex_lock (&lock[3]);
  pthread_mutex_unlock (&lock[3]);
  pthread_mutex_unlock (&lock[2]);
  return unused;
}

static void *other_down (void *unused) {
  pthread_mutex_lock (&lock[3]);
  pthread_mutex_lock (&lock[2]);
  pthread_mutex_unlock (&lock[2]);
  pthread_mutex_unlock (&lock[3]);
  return unused;
}

int main (void) {
  pthread_t thread[THREADS];
#ifdef TWO
  void *(*const work[]) (void *) = {up, down, other_up, other_down};
#else
  void *(*const work[]) (void *) = {up, down, up, down};
  (void) other_up, (void) other_down;
#endif
  for (int i = 0; i < THREADS; i++) pthread_create (&thread[i], 0, work[i % 4], 0);
  for (int i = 0; i < THREADS; i++) pthread_join (thread[i], 0);
  return 0;
}
