// C11 thread-specific storage: own value per thread, destructor at its end.
#include <assert.h>
#include <threads.h>

static tss_t key;
static int a;

static void mark (void *value) { *(int *) value = 1; }

static int work (void *arg) {
  assert (tss_get (key) == NULL);
  tss_set (key, arg);
  return 0;
}

int main (void) {
  thrd_t t;
  tss_create (&key, mark);
  thrd_create (&t, work, &a);
  thrd_join (t, NULL);
  assert (a == 1 && tss_get (key) == NULL);
  tss_delete (key);
  return 0;
}
