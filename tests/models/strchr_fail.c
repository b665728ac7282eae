// What is not found is null.
#include <string.h>

int main (void) {
  const char *volatile text = "abc";
  return *strchr (text, 'x');
}
