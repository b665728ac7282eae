// mtx_trylock says thrd_busy, mtx_timedlock thrd_timedout.
#include <assert.h>
#include <threads.h>

static mtx_t m;
static const struct timespec soon = { 1, 0 };

static int work (void *arg) {
  int result = arg ? mtx_timedlock (&m, &soon) : mtx_trylock (&m);
  assert (result == thrd_success || result == (arg ? thrd_timedout : thrd_busy));
  if (result == thrd_success) mtx_unlock (&m);
  return 0;
}

int main (void) {
  thrd_t t;
  mtx_init (&m, mtx_timed);
  thrd_create (&t, work, &m);
  work (NULL);
  thrd_join (t, NULL);
  return 0;
}
