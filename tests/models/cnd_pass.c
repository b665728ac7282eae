// cnd_wait with a predicate, cnd_timedwait that may time out.
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int work (void *arg) {
  mtx_lock (&m);
  ready = 1;
  cnd_signal (&c);
  mtx_unlock (&m);
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  struct timespec soon = { 1, 0 };
  mtx_init (&m, mtx_plain);
  cnd_init (&c);
  thrd_create (&t, work, NULL);
  mtx_lock (&m);
  while (!ready) cnd_wait (&c, &m);
  assert (cnd_timedwait (&c, &m, &soon) == thrd_timedout);
  mtx_unlock (&m);
  thrd_join (t, NULL);
  cnd_destroy (&c);
  return 0;
}
