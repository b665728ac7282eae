// Two C11 threads count under a mtx_t.
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int count;

static int work (void *arg) {
  mtx_lock (&m);
  count++;
  mtx_unlock (&m);
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  mtx_init (&m, mtx_plain);
  thrd_create (&t, work, NULL);
  work (NULL);
  thrd_join (t, NULL);
  assert (count == 2);
  mtx_destroy (&m);
  return 0;
}
