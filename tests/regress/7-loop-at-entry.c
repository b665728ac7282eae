// A loop that begins with its function was one endless point: nobody but the loop itself led to its first operation, and building the machine did not end (engine circuit, and lazy with
// --encoding=lazy).
#include <assert.h>
#include <pthread.h>

int x;

static void *worker (void *argument) {
  for (;;) x = 2;
  return argument;
}

int main (void) {
  pthread_t thread;
  pthread_create (&thread, 0, worker, 0);
  assert (x != 1);
  pthread_join (thread, 0);
}
