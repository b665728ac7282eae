// What models have to remember, or to take from an unknown text.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main (void) {
#ifdef PUSHED
  int c = getchar ();
  if (c == EOF) return 0;
  ungetc (c, stdin);
  assert (getchar () == c);
#elif defined PUSHED_ONCE
  ungetc ('a', stdin);
  getchar ();
  assert (getchar () == 'a');
#elif defined VARIABLE
  setenv ("NAME", "1", 1);
  assert (getenv ("NAME"));
#elif defined SCANNED
  char *name = getlogin ();
  int number = 0;
  if (name) sscanf (name, "%d", &number);
  assert (number != 5);
#endif
  return 0;
}
