// Front end: a function without a body may well call what it is given; "safe" was wrong.
#include <pthread.h>

extern void register_callback (void (*) (void));
static int x;

static void callback (void) { x++; }

static void *worker (void *arg) {
  x++;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, worker, NULL);
  register_callback (callback);
  pthread_join (t, NULL);
  return 0;
}
