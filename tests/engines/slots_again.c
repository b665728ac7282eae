// The first worker is joined before the others start, so that one of them gets its place; a detached one keeps its place until it ends.
#include <assert.h>
#include <pthread.h>

static int ready, last;

static void *prepare (void *arg) {
  ready = 1;
  return arg;
}

static void *write_one (void *arg) {
  last = 1;
  return arg;
}

static void *write_two (void *arg) {
  last = 2;
  return arg;
}

int main (void) {
  pthread_t first, one, two, free_one;
  pthread_create (&first, NULL, prepare, NULL);
  pthread_join (first, NULL);
  pthread_create (&free_one, NULL, write_two, NULL);
  pthread_detach (free_one);
  pthread_create (&one, NULL, write_one, NULL);
  pthread_create (&two, NULL, write_two, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  assert (!ready || last == 2);
  return 0;
}
