// Two C11 threads without any lock.
#include <threads.h>

static int x;

static int work (void *arg) {
  x++;
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  thrd_create (&t, work, NULL);
  work (NULL);
  thrd_join (t, NULL);
  return 0;
}
