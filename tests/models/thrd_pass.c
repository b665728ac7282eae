// thrd_create and thrd_join: the result is an int, also by thrd_exit.
#include <assert.h>
#include <threads.h>

static int work (void *arg) {
  if (arg) thrd_exit (-7);
  return -8;
}

int main (void) {
  thrd_t t, u;
  int first, second;
  assert (thrd_create (&t, work, &t) == thrd_success);
  assert (thrd_create (&u, work, NULL) == thrd_success);
  assert (!thrd_equal (t, thrd_current ()));
  thrd_join (t, &first);
  thrd_join (u, &second);
  assert (first == -7 && second == -8);
  thrd_yield ();
  return 0;
}
