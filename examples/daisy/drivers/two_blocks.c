// Bug 1 on its shortest path, for engines that unroll step by step: blocks 0 and 1 (1 and 2 WITH_ROOT) share a byte.
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
