// Two accesses that can meet, both close to the end: from the first state where interleavings part few ways are left, and no state between is stored.  Where
// deadlocks are asked for every such state is stored, to be examined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int saw_y, saw_x;

void *first (void *unused)
{
  (void) unused;
  atomic_store (&x, 1);
  saw_y = atomic_load (&y);
  return NULL;
}

void *second (void *unused)
{
  (void) unused;
  atomic_store (&y, 1);
  saw_x = atomic_load (&x);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, first, NULL);
  pthread_create (&two, NULL, second, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  assert (saw_x || saw_y);
  return 0;
}
