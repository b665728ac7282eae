// No terminator.
#include <string.h>

int main (void) {
  char text[4] = { 'f', 'o', 'u', 'r' };
  return strlen (text) == 0;
}
