// Two threads unlink the same file by its handle.  One of them comes second and should be told so, instead of freeing
// the block once more (bug 4).
#include "check.h"
#include "file.h"

#include <assert.h>
#include <pthread.h>

static int handle;
static daisy_error errors[2];

static void *unlinker (void *error) {
  *(daisy_error *) error = file_unlink (handle);
  return NULL;
}

int main (void) {
  pthread_t one, two;
  daisy_error error = file_creat (&handle);
  assert (!error);
  pthread_create (&one, NULL, unlinker, &errors[0]);
  pthread_create (&two, NULL, unlinker, &errors[1]);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  assert ((errors[0] == DAISY_OK) + (errors[1] == DAISY_OK) == 1);
  check_disk ();
  return 0;
}
