// The result of a thread is what it returned, not its argument.
#include <assert.h>
#include <pthread.h>

static void *next (void *arg) { return (char *) arg + 1; }

int main (void) {
  char cells[2];
  pthread_t t;
  void *result;
  pthread_create (&t, NULL, next, cells);
  pthread_join (t, &result);
  assert (result == cells);
  return 0;
}
