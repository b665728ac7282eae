// LOCK (Kahlon, Ivancic, Gupta 2005), section 5.1 with acq_rel_a at g3: c4 and g4 are each reachable, the pair is not:
// the two acquisition histories cannot be merged.  (They can be made to deadlock instead.)
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

static void acq_rel_a (void)
{
  pthread_mutex_lock (&a);    // h1
  pthread_mutex_unlock (&a);  // h2
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
  acq_rel_a ();               // g3
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
