// Two threads format into the same array.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char text[16];

static void say (const char *format, ...) {
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
}

static void *work (void *arg) {
  say ("%d", 1);
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  work (NULL);
  pthread_join (t, NULL);
  return 0;
}
