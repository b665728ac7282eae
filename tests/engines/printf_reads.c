// The read hides among the arguments of printf.
#include <pthread.h>
#include <stdio.h>

int progress;

void *working (void *unused)
{
  (void) unused;
  progress = 50;
  return NULL;
}

int main (void)
{
  pthread_t thread;
  pthread_create (&thread, NULL, working, NULL);
  printf ("%s: %d\n", "progress", progress);
  pthread_join (thread, NULL);
  return 0;
}
