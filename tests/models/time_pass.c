// A time nobody looks at costs nothing.
#include <assert.h>
#include <time.h>

int main (void) {
  struct timespec now;
  assert (clock_gettime (CLOCK_REALTIME, &now) == 0);
  assert (nanosleep (&(struct timespec) { 0, 1 }, NULL) == 0);
  return 0;
}
