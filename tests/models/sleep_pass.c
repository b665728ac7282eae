// Sleeping takes no time and succeeds.
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main (void) {
  struct timespec duration = { 0, 1000 };
  assert (sleep (0) == 0);
  assert (usleep (1) == 0);
  assert (nanosleep (&duration, NULL) == 0);
  return 0;
}
