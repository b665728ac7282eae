// What feof says fits what was read before.
#include <assert.h>
#include <stdio.h>

int main (void) {
  char text[4];
  assert (!feof (stdin));
  int c = getchar ();
  assert ((c == EOF) == !!feof (stdin));
  if (!fgets (text, sizeof text, stdin)) assert (feof (stdin));
  int once = feof (stdin);
  assert (once == feof (stdin));
  rewind (stdin);
  assert (!feof (stdin));
  if (fread (text, 1, 2, stdin) == 1) assert (feof (stdin));
  assert (fileno (stdin) == 0 && fileno (stderr) == 2);
  return 0;
}
