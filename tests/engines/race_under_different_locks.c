// Each thread holds a lock of its own at its access: the race shows only while both hold theirs, in the middle of two critical sections.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, under_m, under_n;

void *one (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  under_m++;
  x = 1;
  under_m--;
  pthread_mutex_unlock (&m);
  return NULL;
}

void *two (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&n);
  under_n++;
  x = 2;
  under_n--;
  pthread_mutex_unlock (&n);
  return NULL;
}

int main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, one, NULL);
  pthread_create (&b, NULL, two, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
