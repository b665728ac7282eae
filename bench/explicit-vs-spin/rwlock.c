// A readers-writers lock around two numbers that writers keep equal; readers note what they saw.  No thread ever stops.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define READERS 3
#define WRITERS 2
#ifndef VALUES
#define VALUES 8
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y, noted[READERS];

static void *
reader (void *arg)
{
  int me = (int) (intptr_t) arg;
  while (1)
    {
      pthread_rwlock_rdlock (&lock);
      noted[me] = x;
      assert (y == noted[me]);
      pthread_rwlock_unlock (&lock);
    }
  return arg;
}

static void *
writer (void *arg)
{
  while (1)
    {
      pthread_rwlock_wrlock (&lock);
      x = (x + 1) % VALUES;
      y = (y + 1) % VALUES;
      pthread_rwlock_unlock (&lock);
    }
  return arg;
}

int
main (void)
{
  pthread_t t[READERS + WRITERS];
  for (intptr_t i = 0; i < READERS; i++)
    pthread_create (&t[i], NULL, reader, (void *) i);
  for (int i = READERS; i < READERS + WRITERS; i++)
    pthread_create (&t[i], NULL, writer, NULL);
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_join (t[i], NULL);
  return 0;
}
