// 24 is no alignment.
#include <assert.h>
#include <stdlib.h>

int main (void) {
  void *p = NULL;
  assert (posix_memalign (&p, 24, 10) == 0);
  free (p);
  return 0;
}
