// LOCK (Kahlon, Ivancic, Gupta 2005), section 5.1: EF (c4 and g4) holds, for instance by
// c1 c2 d1 d2 g1 g2 g3 h1 h2 g4 c3 c4.
// Both locations are marked by atomic flags; reaching the pair fails the assertion.  thread_two never releases c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
atomic_bool at_c4, at_g4;

static void acq_rel_c (void)
{
  pthread_mutex_lock (&c);    // d1
  pthread_mutex_unlock (&c);  // d2
}

static void acq_rel_b (void)
{
  pthread_mutex_lock (&b);    // h1
  pthread_mutex_unlock (&b);  // h2
}

void *thread_one (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&a);    // c1
  acq_rel_c ();               // c2
  pthread_mutex_lock (&b);    // c3
  at_c4 = 1;
  assert (!at_g4);
  at_c4 = 0;
  pthread_mutex_unlock (&b);  // c4
  pthread_mutex_unlock (&a);  // c5
  return NULL;
}

void *thread_two (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&c);    // g1
  pthread_mutex_lock (&d);    // g2
  acq_rel_b ();               // g3
  at_g4 = 1;
  assert (!at_c4);
  at_g4 = 0;
  pthread_mutex_unlock (&d);  // g4
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, thread_one, NULL);
  pthread_create (&two, NULL, thread_two, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
