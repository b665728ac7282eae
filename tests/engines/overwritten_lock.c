// The lock is overwritten, not released: the same end.
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *entering (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&m);
  inside++;
  assert (inside == 1);
  inside--;
  pthread_mutex_unlock (&m);
  return NULL;
}

void *intruding (void *unused)
{
  (void) unused;
  memset (&m, 0, sizeof m);
  return NULL;
}

int main (void)
{
  pthread_t one, two, three;
  pthread_create (&one, NULL, entering, NULL);
  pthread_create (&two, NULL, entering, NULL);
  pthread_create (&three, NULL, intruding, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  pthread_join (three, NULL);
  return 0;
}
