// Neighbouring bit-fields share their bytes.
#include <pthread.h>

static struct { unsigned a : 4, b : 4; } bits;

static void *work (void *arg) {
  bits.a = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  bits.b = 1;
  pthread_join (t, NULL);
  return 0;
}
