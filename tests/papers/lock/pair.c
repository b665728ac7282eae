// LOCK section 5.1: EF (c4 and g4) holds, for instance by c1 c2 d1 d2 g1 g2 g3 h1 h2 g4 c3 c4.  With -DAT_G3=a (acq_rel_a in the
// place of acq_rel_b) it does not, although each place can be reached alone.  Both places write `x`.
#include <pthread.h>

#ifndef AT_G3
#define AT_G3 b
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void acq_rel (pthread_mutex_t *m) {
  pthread_mutex_lock (m);    // d1, h1
  pthread_mutex_unlock (m);  // d2, h2
}

static void *thread_one (void *arg) {
c1: pthread_mutex_lock (&a);
c2: acq_rel (&c);
c3: pthread_mutex_lock (&b);
c4: x = 1;
  pthread_mutex_unlock (&b);
c5: pthread_mutex_unlock (&a);
  return arg;
}

static void *thread_two (void *arg) {
g1: pthread_mutex_lock (&c);
g2: pthread_mutex_lock (&d);
g3: acq_rel (&AT_G3);
g4: x = 2;
  pthread_mutex_unlock (&d);
  return arg;
}

int main (void) {
  pthread_t one, two;
  pthread_create (&one, NULL, thread_one, NULL);
  pthread_create (&two, NULL, thread_two, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
