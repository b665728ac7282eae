// A thread that joins itself gets an error and goes on; a handle in memory may be anybody's.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_t handle;
int x;

void *joining (void *unused)
{
  (void) unused;
  int error = pthread_join (handle, NULL);
#ifdef SURE
  assert (error == EDEADLK);
#endif
  x = error;
  return NULL;
}

int main (void)
{
  pthread_t own;
  pthread_create (&own, NULL, joining, NULL);
  handle = own;
  x = 1;
  pthread_exit (NULL);
}
