// Moved beyond the end.
#include <string.h>

int main (void) {
  char text[8] = "abcdefg";
  volatile size_t count = 8;
  memmove (text + 1, text, count);
  return text[0] & 0;
}
