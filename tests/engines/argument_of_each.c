// One function, two threads, each with a counter of its own as its argument, and a third that gets none.  With SHARED the second gets a counter that overlaps
// the first one's.
#include <pthread.h>
#include <stddef.h>

struct counters { int first[2], second; } all;

static void count (int *p)
{
  if (p) p[1]++;
}

void *worker (void *arg)
{
  count (arg);
  return NULL;
}

int main (void)
{
  pthread_t one, two, three;
  pthread_create (&one, NULL, worker, &all.first[0]);
#ifdef SHARED
  pthread_create (&two, NULL, worker, &all.first[0]);
#else
  pthread_create (&two, NULL, worker, &all.first[1]);
#endif
  pthread_create (&three, NULL, worker, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  pthread_join (three, NULL);
  return 0;
}
