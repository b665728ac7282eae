// The source is shorter than the copy.
#include <stdlib.h>
#include <string.h>

int main (void) {
  volatile size_t count = 9;
  char to[16], *from = malloc (8);
  memset (from, 0, 8);
  memcpy (to, from, count);
  free (from);
  return to[0];
}
