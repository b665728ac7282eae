// The value of another thread is null here.
#include <threads.h>

static tss_t key;

static int work (void *arg) {
  (void) arg;
  return *(int *) tss_get (key);
}

int main (void) {
  int value = 0;
  thrd_t t;
  tss_create (&key, NULL);
  tss_set (key, &value);
  thrd_create (&t, work, NULL);
  thrd_join (t, NULL);
  return 0;
}
