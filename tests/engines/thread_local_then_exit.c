// Between publishing its thread-local and ending with pthread_exit a thread can be interrupted: what was published is still there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Thread_local int mine = 1;
int *_Atomic theirs;

void *publishing (void *unused)
{
  (void) unused;
  atomic_store (&theirs, &mine);
  pthread_exit (NULL);
}

void *looking (void *unused)
{
  (void) unused;
  int *p = atomic_load (&theirs);
  if (p) assert (*p == 2);
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, publishing, NULL);
  pthread_create (&two, NULL, looking, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
