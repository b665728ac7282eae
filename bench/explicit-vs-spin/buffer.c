// A bounded buffer with a mutex and two condition variables; producers and consumers that never stop.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 3
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#define VALUES 2

static int cells[SIZE], first, used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void *
producer (void *arg)
{
  for (int value = 0;; value = (value + 1) % VALUES)
    {
      pthread_mutex_lock (&lock);
      while (used == SIZE)
        pthread_cond_wait (&not_full, &lock);
      cells[(first + used) % SIZE] = value;
      used++;
      pthread_cond_signal (&not_empty);
      pthread_mutex_unlock (&lock);
    }
  return arg;
}

static void *
consumer (void *arg)
{
  while (1)
    {
      pthread_mutex_lock (&lock);
      while (used == 0)
        pthread_cond_wait (&not_empty, &lock);
      int value = cells[first];
      assert (value < VALUES);
      first = (first + 1) % SIZE;
      used--;
      pthread_cond_signal (&not_full);
      pthread_mutex_unlock (&lock);
    }
  return arg;
}

int
main (void)
{
  pthread_t t[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS; i++)
    pthread_create (&t[i], NULL, producer, NULL);
  for (int i = PRODUCERS; i < PRODUCERS + CONSUMERS; i++)
    pthread_create (&t[i], NULL, consumer, NULL);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
    pthread_join (t[i], NULL);
  return 0;
}
