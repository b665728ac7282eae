// getchar may give EOF, which is no index.
#include <stdio.h>

int main (void) {
  static char seen[256];
  return seen[getchar ()];
}
