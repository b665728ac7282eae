// Both threads stop right behind the accesses that race.  The encodings lazy and eager saw a race only if one of them went on.
#include <pthread.h>

extern void __VERIFIER_assume (int);
static int y;

static void *reader (void *unused) {
  int seen = y;
  __VERIFIER_assume (seen == 5);
  return unused;
}

static void *writer (void *unused) {
  y = 1;
  __VERIFIER_assume (unused != NULL);
  return unused;
}

int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, reader, NULL);
  pthread_create (&b, NULL, writer, NULL);
  return 0;
}
