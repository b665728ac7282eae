// A line may be any text.
#include <assert.h>
#include <stdio.h>

int main (void) {
  char line[3];
  if (fgets (line, sizeof line, stdin)) assert (line[0] != 'q');
  return 0;
}
