// A variable of main is read by a thread after main has ended its own thread, but not the process.
#include <pthread.h>

void *reading (void *argument)
{
  int *p = argument;
  return *p == 1 ? NULL : argument;
}

int main (void)
{
  int local = 1;
  pthread_t thread;
  pthread_create (&thread, NULL, reading, &local);
  pthread_detach (thread);
  pthread_exit (NULL);
}
