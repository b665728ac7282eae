// Four threads in one directory: two make files, one lists the directory and looks at a file that was there before, one
// unlinks that file.  The directory has room for two.
#include "check.h"
#include "directory.h"
#include "file.h"

#include <assert.h>
#include <pthread.h>

// A file that was made can be found, also in a directory that is full (bug 6).
static void *maker (void *argument) {
  const char *name = argument;
  unsigned char found = 0;
  int handle, same, num_read = 0;
  daisy_error error = directory_creat (ROOT_DIRECTORY, name, &handle);
  assert (error == DAISY_OK || error == DAISY_NOSPC);
  if (error) return NULL;
  error = directory_lookup (ROOT_DIRECTORY, name, &same);
  assert (!error && same == handle);
  error = directory_write (ROOT_DIRECTORY, name, 0, 1, (const unsigned char *) name);
  assert (!error);
  error = directory_read (ROOT_DIRECTORY, name, 0, 1, &found, &num_read);
  assert (!error && num_read == 1 && found == (unsigned char) name[0]);
  return NULL;
}

// A file in the list has attributes, unless it is the one that may be unlinked meanwhile.
static void *lister (void *unused) {
  directory_entry entries[DIRECTORY_ENTRIES];
  int num_entries = 0;
  directory_read_all (ROOT_DIRECTORY, entries, &num_entries);
  for (int i = 0; i < num_entries; i++) {
    file_attributes attributes;
    daisy_error error = file_get_attributes (entries[i].handle, &attributes);
    assert (!error || entries[i].name[0] == 'a');
    if (!error) assert (attributes.size <= 1);
  }
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
  error = file_set_attributes (handle, (file_attributes){.size = 1});
  assert (!error);
}

int main (void) {
  char names[][2] = {"b", "c"};
  pthread_t threads[4];
  make_file ();
  pthread_create (&threads[0], NULL, maker, names[0]);
  pthread_create (&threads[1], NULL, maker, names[1]);
  pthread_create (&threads[2], NULL, lister, NULL);
  pthread_create (&threads[3], NULL, unlinker, NULL);
  for (int i = 0; i < 4; i++) pthread_join (threads[i], NULL);
  check_disk ();
  return 0;
}
