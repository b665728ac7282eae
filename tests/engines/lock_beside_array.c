// A lock and an array in one struct: an element that an index chooses is not the lock.  With SPIN the lock is a single word, and what follows it is not
// part of it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
#ifdef SPIN
  pthread_spinlock_t m;
#else
  pthread_mutex_t m;
#endif
  unsigned tail;
  int element[4];
};

void *put (void *argument)
{
  struct queue *q = argument;
#ifdef SPIN
  pthread_spin_lock (&q->m);
  q->element[q->tail++ % 4] = 1;
  pthread_spin_unlock (&q->m);
#else
  pthread_mutex_lock (&q->m);
  q->element[q->tail++ % 4] = 1;
  pthread_mutex_unlock (&q->m);
#endif
  return 0;
}

int main (void)
{
  pthread_t t, u;
  struct queue *q = calloc (1, sizeof *q);
#ifdef SPIN
  pthread_spin_init (&q->m, 0);
#else
  pthread_mutex_init (&q->m, 0);
#endif
  pthread_create (&t, 0, put, q);
  pthread_create (&u, 0, put, q);
  pthread_join (t, 0);
  pthread_join (u, 0);
  assert (q->tail == 2 && q->element[0] && q->element[1]);
  free (q);
  return 0;
}
