// But it may be left alone.
#include <threads.h>

static int work (void *arg) { return arg != NULL; }

int main (void) {
  thrd_t t;
  thrd_create (&t, work, NULL);
  thrd_detach (t);
  return 0;
}
