// The array is too short for both.
#include <string.h>

int main (void) {
  char a[6] = "abc", *volatile more = "def";
  strcat (a, more);
  return 0;
}
