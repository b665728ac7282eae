// What is outside the routine is not protected.
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int runs, calls;

static void initialise (void) { runs++; }

static int work (void *arg) {
  call_once (&once, initialise);
  calls++;
  return arg != NULL;
}

int main (void) {
  thrd_t t;
  thrd_create (&t, work, NULL);
  work (NULL);
  thrd_join (t, NULL);
  return 0;
}
