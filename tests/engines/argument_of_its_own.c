// Every thread gets memory that was allocated for it; or, if SAME, all get the same.
#include <pthread.h>
#include <stdlib.h>

struct job {
  int number, result;
};

static void *work (void *data) {
  struct job *j = data;
  j->result = j->number * 2;
  free (j);
  return NULL;
}

int main (void) {
  struct job *j = NULL;
  for (int i = 0; i < 3; i++) {
    pthread_t t;
#ifdef SAME
    if (!j) j = malloc (sizeof *j);
#else
    j = malloc (sizeof *j);
#endif
    if (!j) abort ();
#ifndef SAME
    j->number = i;
#endif
    pthread_create (&t, NULL, work, j);
    pthread_detach (t);
  }
  return 0;
}
