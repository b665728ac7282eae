// Bytes of which only some bits were written: bit-fields, masks, truth values.
#include <stdlib.h>
#include <string.h>

struct fields {
  unsigned low : 3, high : 5;
  unsigned wide : 10;
};
struct fields copy;

int main (void) {
  struct fields f, *p = malloc (sizeof *p);
  int x, i = 0, truth[2];
  f.low = 1;
  p->high = 2;
  p->wide = 3;
  copy = f;
  memcpy (&f, &copy, sizeof f);
  truth[0] = x > 3;
  truth[1] = (x & 0xf0) + 1;
  if (f.low != 1 || copy.low != 1) abort ();
  if (p->high != 2 || p->wide != 3) abort ();
  if (truth[0] & 2) abort ();
  if (!(truth[1] & 1)) abort ();
#if defined FIELD
  if (copy.high) i = 2;
#elif defined NEIGHBOUR
  if (p->low == 1) i = 2;
#elif defined TRUTH
  if (truth[0]) i = 2;
#elif defined MASK
  if (truth[1] & 0x10) i = 2;
#endif
  free (p);
  return 0;
}
