// LOCK (Kahlon, Ivancic, Gupta 2005), section 2: foo_not_nested takes b, then a, and bar releases b first: not nested.
// Two such threads all the same: no race, no deadlock, no misuse.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void bar (void)
{
  shared++;
  pthread_mutex_unlock (&b);
  pthread_mutex_unlock (&a);
  pthread_mutex_lock (&c);
}

void *foo_not_nested (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&a);
  bar ();
  pthread_mutex_unlock (&c);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, foo_not_nested, NULL);
  pthread_create (&two, NULL, foo_not_nested, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
