// Two threads that look at one file each: nothing in common but the disk's position (bug 2).  The shortest way to it, for engines that unroll the program step by step.
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
