// Two threads that free blocks 0 and 1, whose bits share a byte of the bitmap (bug 1); with WITH_ROOT blocks 1 and 2.  The shortest way to it, for engines that unroll the program step by step.
#include "disk.h"
#include "layout.h"

#include <pthread.h>

#ifdef WITH_ROOT
enum { FIRST = 1 };
#else
enum { FIRST = 0 };
#endif

static void *freer (void *block) {
  block_free (*(int *) block);
  return NULL;
}

int main (void) {
  int blocks[] = {FIRST, FIRST + 1};
  pthread_t one, two;
  disk_write (BITMAP_START, 7);
  pthread_create (&one, NULL, freer, &blocks[0]);
  pthread_create (&two, NULL, freer, &blocks[1]);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
