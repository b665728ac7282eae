// A function of our own that formats: arguments reach vsnprintf and vprintf.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[16];

static void say (const char *format, ...) {
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
}

int main (void) {
  say ("%d-%s", 7, "x");
  assert (strcmp (text, "7-x") == 0);
  return 0;
}
