// Busy waiting for a flag that is always set in the end: the cycle in the state space ends the search, nobody is stuck.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *setter (void *arg) {
  data = 42;
  atomic_store (&flag, 1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, setter, NULL);
  while (!atomic_load (&flag)) continue;
  assert (data == 42);
  pthread_join (t, NULL);
  return 0;
}
