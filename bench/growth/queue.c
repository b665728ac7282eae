// A work queue: main hands out ITEMS items and then closes the queue, N workers take them one by one and work on each
// outside the lock.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int produced, taken, closed;
static int result[ITEMS];

static void *
worker (void *arg)
{
  while (1)
    {
      pthread_mutex_lock (&lock);
      while (taken == produced && !closed)
        pthread_cond_wait (&changed, &lock);
      int item = taken;
      if (item == produced)
        break;
      taken = item + 1;
      pthread_mutex_unlock (&lock);
      result[item]++;
    }
  pthread_mutex_unlock (&lock);
  return arg;
}

int
main (void)
{
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create (&t[i], NULL, worker, NULL);
  for (int i = 0; i < ITEMS; i++)
    {
      pthread_mutex_lock (&lock);
      produced = i + 1;
      pthread_cond_signal (&changed);
      pthread_mutex_unlock (&lock);
    }
  pthread_mutex_lock (&lock);
  closed = 1;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  for (int i = 0; i < N; i++)
    pthread_join (t[i], NULL);
  for (int i = 0; i < ITEMS; i++)
    assert (result[i] == 1);
  return 0;
}
