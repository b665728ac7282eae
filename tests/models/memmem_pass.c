// memmem looks at the given bytes only, and reads up to the end of the first match.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[] = "lock key log";

static void *writer (void *arg) {
  text[11] = 'n';
  return arg;
}

int main (void) {
  assert (memmem (text, sizeof text, "lo", 2) == text);
  assert (memmem (text + 1, sizeof text - 1, "lo", 2) == text + 9);
  assert (memmem (text, 6, "key", 3) == NULL);
  assert (memmem (text, sizeof text, "", 0) == text);
  assert (memmem (text, 2, "lock", 4) == NULL);
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  char *key = memmem (text, sizeof text, "key", 3);
  assert (key == text + 5);
  pthread_join (t, NULL);
  return 0;
}
