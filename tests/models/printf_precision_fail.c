// A string is printed up to a number of characters that stands in the format, or (STAR) in an argument, while it is written; it need not be terminated.  With FEW the
// characters that are printed are not those that are written.  With VARIABLE nobody knows the format.  With COUNT the format writes.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[4] = {'a', 'b', 'c', 'd'};
static const char *format = "%.4s";

static void *change (void *unused) {
  text[2] = 'x';
  return unused;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, change, NULL);
#ifdef STAR
  printf ("%d %.*s\n", 1, 3, text);
#elif defined FEW
  printf ("%.2s\n", text);
#elif defined VARIABLE
  printf (format, text);
#elif defined COUNT
  int count = 0;
  printf ("ab%n", &count);
  assert (!count);
#else
  printf ("%-5.4s %d\n", text, 1);
#endif
  pthread_join (t, NULL);
  return 0;
}
