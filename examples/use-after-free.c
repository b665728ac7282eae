// Main frees the request as soon as it is told that the worker has taken it; the worker is still reading it.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct request { int id, size; };

struct request *shared;
sem_t taken;

void *worker (void *unused)
{
  (void) unused;
  struct request *r = shared;
  sem_post (&taken);
  int total = r->id + r->size;
  (void) total;
  return NULL;
}

int main (void)
{
  pthread_t thread;
  sem_init (&taken, 0, 0);
  shared = malloc (sizeof *shared);
  shared->id = 1;
  shared->size = 10;
  pthread_create (&thread, NULL, worker, NULL);
  sem_wait (&taken);
  free (shared);
  pthread_join (thread, NULL);
  return 0;
}
