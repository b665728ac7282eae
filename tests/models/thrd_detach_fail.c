// A detached C11 thread cannot be joined.
#include <threads.h>

static int work (void *arg) { return arg != NULL; }

int main (void) {
  thrd_t t;
  thrd_create (&t, work, NULL);
  thrd_detach (t);
  thrd_join (t, NULL);
  return 0;
}
