// Lost wake-up: no predicate, the broadcast may come first.
#include <threads.h>

static mtx_t m;
static cnd_t c;

static int work (void *arg) {
  cnd_broadcast (&c);
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  mtx_init (&m, mtx_plain);
  cnd_init (&c);
  thrd_create (&t, work, NULL);
  mtx_lock (&m);
  cnd_wait (&c, &m);
  mtx_unlock (&m);
  thrd_join (t, NULL);
  return 0;
}
