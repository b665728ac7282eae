// What lockstep cannot model is taken to change nothing: the threads created after it race all the same.
#include <pthread.h>
#include <stdlib.h>

static int x;

static void say_nothing (void) {}

static void *work (void *arg) {
  x++;
  return NULL;
}

int main (void) {
  pthread_t a, b;
  atexit (say_nothing);
  pthread_create (&a, NULL, work, NULL);
  pthread_create (&b, NULL, work, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
