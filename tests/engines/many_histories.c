// With `a` held, one of two locks is taken eight times: 256 histories of `a`, too many to tell apart, but `a` protects `x` in all of them.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, even[8], odd[8];
static int x;

#define STEP(K)                          \
  do {                                   \
    if (way >> K & 1) {                  \
      pthread_mutex_lock (&odd[K]);      \
      pthread_mutex_unlock (&odd[K]);    \
    } else {                             \
      pthread_mutex_lock (&even[K]);     \
      pthread_mutex_unlock (&even[K]);   \
    }                                    \
  } while (0)

static void *
worker (void *arg)
{
  int way = *(int *) arg;
  pthread_mutex_lock (&a);
  STEP (0);
  STEP (1);
  STEP (2);
  STEP (3);
  STEP (4);
  STEP (5);
  STEP (6);
  STEP (7);
  x++;
  pthread_mutex_unlock (&a);
  return NULL;
}

int
main (void)
{
  pthread_t t[2];
  int way[2] = {5, 250};
  for (int i = 0; i < 2; i++)
    pthread_create (&t[i], NULL, worker, &way[i]);
  for (int i = 0; i < 2; i++)
    pthread_join (t[i], NULL);
  return 0;
}
