// Two of them in opposite orders.
#include <threads.h>

static mtx_t a, b;

static int work (void *arg) {
  mtx_lock (&a);
  mtx_lock (&b);
  mtx_unlock (&b);
  mtx_unlock (&a);
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  mtx_init (&a, mtx_plain);
  mtx_init (&b, mtx_plain);
  thrd_create (&t, work, NULL);
  mtx_lock (&b);
  mtx_lock (&a);
  mtx_unlock (&a);
  mtx_unlock (&b);
  thrd_join (t, NULL);
  return 0;
}
