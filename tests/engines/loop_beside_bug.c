// One thread goes round for ever in what only it touches; the other's failure must not be put off for ever.  With ROUNDS the loop ends, but
// leaves the flag up that the other one looks at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int own;
atomic_int up;

void *looping (void *unused)
{
  (void) unused;
  atomic_store (&up, 1);
#ifdef ROUNDS
  for (int i = 0; i < ROUNDS; i++) own = i;
#else
  for (;;) own = !own;
#endif
  return NULL;
}

void *looking (void *unused)
{
  (void) unused;
  assert (!atomic_load (&up));
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, looping, NULL);
  pthread_create (&two, NULL, looking, NULL);
  pthread_join (two, NULL);
  return 0;
}
