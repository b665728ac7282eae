// strtok keeps its place in one variable for all threads.
#include <pthread.h>
#include <string.h>

static void *work (void *arg) {
  strtok (arg, ",");
  return NULL;
}

int main (void) {
  char a[] = "a", b[] = "b";
  pthread_t t;
  pthread_create (&t, NULL, work, a);
  work (b);
  pthread_join (t, NULL);
  return 0;
}
