// free (NULL) is nothing.
#include <stdlib.h>

int main (void) {
  free (NULL);
  return 0;
}
