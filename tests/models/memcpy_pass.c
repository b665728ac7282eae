// Copies of structures and odd lengths; bytes never set may be copied too.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair { char c; int n; };

int main (void) {
  struct pair *a = malloc (sizeof *a), b;
  char text[8] = "abcdefg", copy[8];
  volatile size_t five = 5;
  a->c = 'x';
  a->n = 3;
  memcpy (&b, a, sizeof b);
  assert (b.c == 'x' && b.n == 3);
  memcpy (copy + 1, text, five);
  assert (copy[1] == 'a' && copy[5] == 'e');
  assert (mempcpy (copy, text, 2) == copy + 2);
  free (a);
  return 0;
}
