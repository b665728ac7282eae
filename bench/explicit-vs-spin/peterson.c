// Peterson's mutual exclusion of two threads, for ever; each numbers its visits to the critical section modulo ROUNDS.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 100
#endif

static atomic_int wants[2], turn, inside;

static void *
worker (void *arg)
{
  int me = (int) (intptr_t) arg, other = 1 - me;
  for (int round = 0;; round = (round + 1) % ROUNDS)
    {
      wants[me] = 1;
      turn = other;
      while (wants[other] && turn == other)
        ;
      inside = round;
      assert (inside == round);
      wants[me] = 0;
    }
  return NULL;
}

int
main (void)
{
  pthread_t a, b;
  pthread_create (&a, NULL, worker, (void *) 0);
  pthread_create (&b, NULL, worker, (void *) 1);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
