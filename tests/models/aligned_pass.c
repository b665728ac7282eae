// Aligned memory is aligned.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main (void) {
  void *p;
  assert (posix_memalign (&p, 64, 100) == 0);
  assert ((uintptr_t) p % 64 == 0);
  free (p);
  p = aligned_alloc (128, 128);
  assert ((uintptr_t) p % 128 == 0);
  free (p);
  return 0;
}
