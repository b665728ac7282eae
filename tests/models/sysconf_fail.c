// How many processors there are is not known: three, for example.
#include <assert.h>
#include <unistd.h>

int main (void) {
  long processors = sysconf (_SC_NPROCESSORS_ONLN);
  assert (processors == 1 || processors == 2 || processors > 3);
  return 0;
}
