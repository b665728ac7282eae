// The function waits for the thread that uses its local variable.
#include <assert.h>
#include <pthread.h>

static void *work (void *arg) {
  *(int *) arg = 1;
  return NULL;
}

static int compute (void) {
  int local = 0;
  pthread_t t;
  pthread_create (&t, NULL, work, &local);
  pthread_join (t, NULL);
  return local;
}

int main (void) {
  assert (compute () == 1);
  return 0;
}
