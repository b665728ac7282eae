// Thread-specific data: each thread has its own value, and the destructor runs at its end.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int a, b;

static void mark (void *value) { ++*(int *) value; }

static void *work (void *arg) {
  assert (pthread_getspecific (key) == NULL);
  pthread_setspecific (key, arg);
  assert (pthread_getspecific (key) == arg);
  return NULL;
}

int main (void) {
  pthread_t t, u;
  pthread_key_create (&key, mark);
  pthread_create (&t, NULL, work, &a);
  pthread_create (&u, NULL, work, &b);
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  assert (a == 1 && b == 1);
  return 0;
}
