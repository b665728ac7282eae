// LOCK section 6: threads that wait in a circle.  Two threads with a and b, or with -DTHREE three with a, b and c.
// -DGATE: whoever takes two locks holds `gate` meanwhile.  -DHISTORY: a thread waits for the second lock only if it has had it before
// while it held the first; both cannot have got that far, so that the acquisition histories exclude the circle.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void take_both (pthread_mutex_t *first, pthread_mutex_t *second) {
#ifdef GATE
  pthread_mutex_lock (&gate);
#endif
  pthread_mutex_lock (first);
#ifdef HISTORY
  if (pthread_mutex_trylock (second) != 0) {
    pthread_mutex_unlock (first);
    return;
  }
  pthread_mutex_unlock (second);
#endif
  pthread_mutex_lock (second);
  pthread_mutex_unlock (second);
  pthread_mutex_unlock (first);
#ifdef GATE
  pthread_mutex_unlock (&gate);
#endif
}

static void *one (void *arg) {
  take_both (&a, &b);
  return arg;
}

#ifdef THREE
static void *two (void *arg) {
  take_both (&b, &c);
  return arg;
}

static void *three (void *arg) {
  take_both (&c, &a);
  return arg;
}
#else
static void *two (void *arg) {
  take_both (&b, &a);
  return arg;
}
#endif

int main (void) {
  pthread_t t, u;
  pthread_create (&t, NULL, one, NULL);
  pthread_create (&u, NULL, two, NULL);
#ifdef THREE
  pthread_t v;
  pthread_create (&v, NULL, three, NULL);
  pthread_join (v, NULL);
#endif
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
