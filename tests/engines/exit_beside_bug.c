// One thread ends the process; the other has failed by then, or not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x, y;

void *leaving (void *unused)
{
  (void) unused;
  x = 1;
  exit (0);
}

void *failing (void *unused)
{
  (void) unused;
  y = 1;
  assert (y == 2);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, leaving, NULL);
  pthread_create (&two, NULL, failing, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
