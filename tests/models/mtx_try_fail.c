// mtx_trylock may fail.
#include <assert.h>
#include <threads.h>

static mtx_t m;

static int work (void *arg) {
  assert (mtx_trylock (&m) == thrd_success);
  mtx_unlock (&m);
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  mtx_init (&m, mtx_plain);
  thrd_create (&t, work, NULL);
  work (NULL);
  thrd_join (t, NULL);
  return 0;
}
