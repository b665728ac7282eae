// Two threads, each with a temporary file: make it, write, read back, remove it.  The files lie in blocks 0 and 1, or,
// with WITH_ROOT, in blocks 1 and 2 behind the block of the root directory.  ROUNDS times each: a block that
// is lost from the bitmap in the first round (bug 1) is allocated twice in the second.
#include "check.h"
#include "directory.h"
#include "file.h"

#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static void use_file (unsigned char mine) {
  unsigned char found = 0;
  int file, num_read = 0;
  daisy_error error = file_creat (&file);
  assert (!error);
  error = file_write (file, 0, 1, &mine);
  assert (!error);
  error = file_read (file, 0, 1, &found, &num_read);
  assert (!error);
  assert (num_read == 1 && found == mine);
  error = file_unlink (file);
  assert (!error);
}

static void *writer (void *mine) {
  for (int round = 0; round < ROUNDS; round++) use_file (*(unsigned char *) mine);
  return NULL;
}

int main (void) {
  unsigned char data[] = {1, 2};
  pthread_t one, two;
#ifdef WITH_ROOT
  directory_make_root ();
#endif
  pthread_create (&one, NULL, writer, &data[0]);
  pthread_create (&two, NULL, writer, &data[1]);
  pthread_join (one, NULL);
  pthread_join (two, NULL);
  check_disk ();
  return 0;
}
