// A thread-local is the thread's own only until its address is published; it ends with the thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Thread_local int mine;
int *_Atomic theirs;

void *publishing (void *unused)
{
  (void) unused;
  mine = 1;
  atomic_store (&theirs, &mine);
  mine = 2;
#ifdef STAYS
  while (atomic_load (&theirs)) continue;
#endif
  return NULL;
}

void *looking (void *unused)
{
  (void) unused;
  int *p = atomic_load (&theirs);
  if (!p) return NULL;
  assert (*p == 1);
#ifdef STAYS
  atomic_store (&theirs, NULL);
#endif
  return NULL;
}

int main (void)
{
  pthread_t one, two;
  pthread_create (&one, NULL, publishing, NULL);
  pthread_create (&two, NULL, looking, NULL);
#ifndef STAYS
  pthread_join (one, NULL);
#endif
  pthread_join (two, NULL);
  return 0;
}
