// call_once runs its routine once, before any call returns.
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int runs;

static void initialise (void) { runs++; }

static int work (void *arg) {
  call_once (&once, initialise);
  assert (runs == 1);
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  thrd_create (&t, work, NULL);
  work (NULL);
  thrd_join (t, NULL);
  return 0;
}
