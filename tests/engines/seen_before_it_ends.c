// A thread does something that another one can notice, and is stopped right after that: the other one may have noticed.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

extern void __VERIFIER_assume (int);

#ifdef MISUSED
#define STOP(never) *(int *) (never) = 1
#else
#define STOP(never) __VERIFIER_assume ((never) != NULL)
#endif

int shown;
sem_t door;

void *showing (void *never)
{
#ifdef STARTS
  assert (never);
#endif
#ifdef EARLY
  STOP (never);
#endif
#ifdef OPENS
  sem_post (&door);
#else
  shown = 1;
#endif
  STOP (never);
  return NULL;
}

int main (void)
{
  pthread_t one;
  sem_init (&door, 0, 0);
  pthread_create (&one, NULL, showing, NULL);
#ifdef STARTS
  void *never = NULL;
  STOP (never);
#elif defined OPENS
  sem_wait (&door);
  assert (0);
#endif
  assert (!shown);
  return 0;
}
