// What a thread made that main has joined is main's from then on: another thread, which ends later, does not give it back as it was.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *make (void *unused) {
  int *p = malloc (sizeof *p);
  *p = 1;
  return p;
}

static void *idle (void *unused) { return NULL; }

int main (void) {
  pthread_t maker, other;
  void *made;
  pthread_create (&maker, NULL, make, NULL);
  pthread_join (maker, &made);
  int *p = made;
  pthread_create (&other, NULL, idle, NULL);
  *p = 5;
  pthread_join (other, NULL);
  assert (*p != 5);
  free (p);
  return 0;
}
