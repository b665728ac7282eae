// Neighbouring array cells, characters and members are different places.
#include <pthread.h>

static int cell[2];
static char text[2];
static struct { short a, b; } pair;

static void *work (void *arg) {
  cell[0] = 1;
  text[0] = 'a';
  pair.a = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  cell[1] = 1;
  text[1] = 'b';
  pair.b = 1;
  pthread_join (t, NULL);
  return 0;
}
