// No room for the terminator.
#include <string.h>

int main (void) {
  char a[4], *volatile four = "four";
  strcpy (a, four);
  return a[0] == 0;
}
