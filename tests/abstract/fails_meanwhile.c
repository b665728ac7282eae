// Two assertions fail.  When the search sees that of `waiting`, the other thread is past its own, which it has not seen yet: the path that it shows leads to that one.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int late;

void *child (void *unused)
{
  late = 1;
  return unused;
}

void *waiting (void *unused)
{
  pthread_t one;
  pthread_create (&one, NULL, child, NULL);
  pthread_join (one, NULL);
  assert (late == 0);
  return unused;
}

void *failing (void *unused)
{
  assert (0);
  return unused;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, waiting, NULL);
  pthread_create (&two, NULL, failing, NULL);
  pthread_join (two, NULL);
  pthread_join (one, NULL);
  return 0;
}
