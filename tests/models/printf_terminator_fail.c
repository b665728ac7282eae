// Printing a string without terminator.
#include <stdio.h>

int main (void) {
  char text[3] = { 'a', 'b', 'c' };
  printf ("%s\n", text);
  return 0;
}
