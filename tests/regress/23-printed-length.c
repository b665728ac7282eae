// printf and its family gave back any number, negative ones too, and a check of such a result was a confirmed bug.
#include <assert.h>
#include <stdio.h>

int main (void) {
#ifdef COMPUTED
  assert (printf ("%d\n", 12) == 3);
#elif defined ANY
  assert (puts ("text") == 5);
#else
  assert (putchar ('a') == 'a' && fputc (0x1ff, stderr) == 0xff);
  assert (puts ("text") >= 0 && fputs ("text", stdout) >= 0);
  assert (printf ("100%%, %c\n", 'a') == 8 && fprintf (stderr, "%d", 12) >= 0);
#endif
  return 0;
}
