// Bug 2 on its shortest path, for engines that unroll step by step: two threads share only the disk's position.
#include "file.h"

#include <pthread.h>

static void *reader (void *file) {
  file_attributes attributes;
  file_get_attributes (*(int *) file, &attributes);
  return NULL;
}

int main (void) {
  int files[] = {0, 1};
  pthread_t one, two;
  pthread_create (&one, NULL, reader, &files[0]);
  pthread_create (&two, NULL, reader, &files[1]);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  return 0;
}
