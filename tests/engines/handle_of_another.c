// Joined twice: the second time the handle may already be that of another thread.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void *returning (void *result)
{
  return result;
}

void *joining (void *unused)
{
  pthread_t one;
  void *result = NULL;
  pthread_create (&one, NULL, returning, NULL);
  pthread_join (one, NULL);
  pthread_join (one, &result);
  assert (!result);
  return unused;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, joining, NULL);
  pthread_create (&two, NULL, returning, &two);
  pthread_exit (NULL);
}
