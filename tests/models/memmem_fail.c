// memmem reads the byte that the other thread writes.
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

static char text[] = "lock key log";

static void *writer (void *arg) {
  text[11] = 'n';
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, writer, NULL);
  memmem (text, sizeof text, "log", 3);
  pthread_join (t, NULL);
  return 0;
}
