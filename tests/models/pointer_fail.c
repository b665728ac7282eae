// A race through a pointer, between a read and a write.
#include <pthread.h>

static int x;

static void *work (void *arg) {
  *(int *) arg = 1;
  return NULL;
}

int main (void) {
  pthread_t t;
  int *p = &x;
  pthread_create (&t, NULL, work, p);
  int seen = *p;
  pthread_join (t, NULL);
  return seen & 0;
}
