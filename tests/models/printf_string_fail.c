// A string is read by printf itself.
#include <pthread.h>
#include <stdio.h>

static char text[4] = "abc";

static void *work (void *arg) {
  text[1] = 'x';
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  printf ("%s\n", text);
  pthread_join (t, NULL);
  return 0;
}
