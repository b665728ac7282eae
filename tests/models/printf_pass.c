// Two threads may print at the same time.
#include <pthread.h>
#include <stdio.h>

static void *work (void *arg) {
  printf ("%s %d\n", (char *) arg, 1);
  return NULL;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, "a");
  puts ("b");
  fflush (stdout);
  pthread_join (t, NULL);
  return 0;
}
