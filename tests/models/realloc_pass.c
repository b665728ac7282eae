// realloc keeps what fits, frees the old object, and allocates from null.
#include <assert.h>
#include <stdlib.h>

int main (void) {
  int *p = realloc (NULL, 3 * sizeof *p);
  for (int i = 0; i < 3; i++) p[i] = i + 1;
  p = realloc (p, 5 * sizeof *p);
  assert (p[0] == 1 && p[2] == 3);
  p[4] = 5;
  p = realloc (p, 2 * sizeof *p);
  assert (p[1] == 2);
  free (p);
  return 0;
}
