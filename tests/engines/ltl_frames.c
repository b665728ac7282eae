// A loop whose body makes an object on the stack, and one on the heap, each time: it comes back to the same state nevertheless.
#include <pthread.h>
#include <stdlib.h>

static int on;

static void fill (int *p, int value) { *p = value; }

static void round (void) {
  int local, *heap = malloc (sizeof *heap);
  fill (&local, 1);
  if (!heap) return;
  *heap = local;
  on = *heap;
  free (heap);
  on = 0;
}

int main (void) {
  for (;;) round ();
}
