// Fresh memory holds any value.
#include <assert.h>
#include <stdlib.h>

int main (void) {
  unsigned char *volatile p = malloc (1);
  assert (*p != 77);
  free (p);
  return 0;
}
