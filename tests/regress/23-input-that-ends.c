// What a short read leaves alone keeps its value, and stays unwritten if it was.  All engines took the whole buffer for input: a false
// bug for what lies behind the input, and a false proof with --property=uninit.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main (void) {
#if defined UNINIT
  char b[4];
#else
  char b[4] = "abc";
#endif
#if defined READ
  long n = read (0, b, sizeof b);
#elif defined FREAD
  long n = (long) fread (b, 1, sizeof b, stdin);
#elif defined ELEMENTS
  long n = 2 * (long) fread (b, 2, 2, stdin);
  if (n < 4) n++;  // the element in which the input ends may be written in part
#else
  long n = scanf ("%3s", b) == 1 ? 4 : 0;
#endif
  if (n < 3) assert (b[3] == 0);
}
