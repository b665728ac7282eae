// Numbers from text.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main (void) {
  const char *volatile text = " -0x1fz";
  const char *s = text;
  char *end;
  assert (strtol (s, &end, 16) == -31 && end == s + 6);
  assert (strtoul ("077", NULL, 0) == 63);
  assert (atoi (" +12ab") == 12 && atol ("-3") == -3);
  errno = 0;
  assert (strtoul ("99999999999999999999", NULL, 10) == (unsigned long) -1 && errno == ERANGE);
  return 0;
}
