// pthread_self is the handle pthread_create wrote, and differs between threads.
#include <assert.h>
#include <pthread.h>

static pthread_t t, u;

static void *check (void *arg) {
  assert (pthread_equal (pthread_self (), arg ? u : t));
  return NULL;
}

int main (void) {
  pthread_create (&t, NULL, check, NULL);
  pthread_create (&u, NULL, check, "second");
  assert (!pthread_equal (t, u) && !pthread_equal (t, pthread_self ()));
  pthread_join (t, NULL);
  pthread_join (u, NULL);
  return 0;
}
