// fopen may fail.
#include <stdio.h>

int main (void) {
  FILE *f = fopen ("no-such-file", "r");
  return fgetc (f) & 0;
}
