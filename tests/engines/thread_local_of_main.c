// A thread-local variable of main that was set before others could see it.
#include <assert.h>
#include <pthread.h>

static _Thread_local int own;

static void *look (void *p) {
  assert (*(int *) p != 5);
  return NULL;
}

int main (void) {
  pthread_t t;
  own = 5;
  pthread_create (&t, NULL, look, &own);
  own = 6;
  pthread_join (t, NULL);
  return 0;
}
