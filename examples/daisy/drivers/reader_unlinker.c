// One thread reads a file by its name, the other one unlinks it.  The reader may come too late and find no such name,
// but a name that it has found must stay valid (bug 5).
#include "check.h"
#include "directory.h"

#include <assert.h>
#include <pthread.h>

static const unsigned char contents = 7;

static void *reader (void *unused) {
  unsigned char found = 0;
  int num_read = 0;
  daisy_error error = directory_read (ROOT_DIRECTORY, "a", 0, 1, &found, &num_read);
  assert (error != DAISY_BADHANDLE);
  if (!error) assert (num_read == 1 && found == contents);
  return unused;
}

static void *unlinker (void *unused) {
  daisy_error error = directory_unlink (ROOT_DIRECTORY, "a");
  assert (!error);
  return unused;
}

static void make_file (void) {
  int handle;
  directory_make_root ();
  daisy_error error = directory_creat (ROOT_DIRECTORY, "a", &handle);
  assert (!error);
  error = directory_write (ROOT_DIRECTORY, "a", 0, 1, &contents);
  assert (!error);
}

int main (void) {
  pthread_t one, two;
  make_file ();
  pthread_create (&one, NULL, reader, NULL);
  pthread_create (&two, NULL, unlinker, NULL);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  check_disk ();
  return 0;
}
