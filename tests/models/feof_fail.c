// A short line may be the last one.
#include <assert.h>
#include <stdio.h>

int main (void) {
  char text[8];
  if (fgets (text, sizeof text, stdin)) assert (!feof (stdin));
  return 0;
}
