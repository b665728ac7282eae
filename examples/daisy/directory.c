// A directory is opened by locking its file and reading all entries; it is closed by writing all of them back and
// unlocking the file.
//
// Bug 5: an operation by name looks up the handle, closes the directory, and only then uses the handle.  Meanwhile
// the file may be unlinked, and the answer is BADHANDLE for a name that exists.  FIX_LOOKUP keeps the directory open.
// Bug 6: a directory that is full takes one more file and forgets it.  FIX_FULL says so to the caller instead.
#include "directory.h"
#include "file.h"
#include "locks.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct open_directory {
  int handle;
  directory_entry entries[DIRECTORY_ENTRIES];
} open_directory;

static void decode (directory_entry *entry, const unsigned char *bytes) {
  entry->handle = bytes[0];
  entry->name_length = bytes[1];
  for (int i = 0; i < DAISY_NAME; i++) entry->name[i] = (char) bytes[2 + i];
}

static void encode (const directory_entry *entry, unsigned char *bytes) {
  bytes[0] = (unsigned char) entry->handle;
  bytes[1] = (unsigned char) entry->name_length;
  for (int i = 0; i < DAISY_NAME; i++) bytes[2 + i] = (unsigned char) entry->name[i];
}

static void lock_open (open_directory *it, int handle) {
  unsigned char bytes[DIRECTORY_ENTRIES * ENTRY_SIZE];
  int num_read = 0;
  it->handle = handle;
  lock_acquire (LOCK_FILE + handle);
  daisy_error error = file_read (handle, 0, sizeof bytes, bytes, &num_read);
  assert (!error && num_read == sizeof bytes);
  for (int i = 0; i < DIRECTORY_ENTRIES; i++) decode (&it->entries[i], bytes + i * ENTRY_SIZE);
}

static void write_entries (const open_directory *it) {
  unsigned char bytes[DIRECTORY_ENTRIES * ENTRY_SIZE];
  for (int i = 0; i < DIRECTORY_ENTRIES; i++) encode (&it->entries[i], bytes + i * ENTRY_SIZE);
  daisy_error error = file_write (it->handle, 0, sizeof bytes, bytes);
  assert (!error);
}

static void close_unlock (const open_directory *it) {
  write_entries (it);
  lock_release (LOCK_FILE + it->handle);
}

static int length_of (const char *name) {
  int length = 0;
  while (name[length]) length++;
  return length;
}

static bool has_name (const directory_entry *entry, const char *name) {
  if (entry->name_length != length_of (name)) return false;
  for (int i = 0; i < entry->name_length; i++)
    if (entry->name[i] != name[i]) return false;
  return true;
}

static directory_entry *find (open_directory *it, const char *name) {
  for (int i = 0; i < DIRECTORY_ENTRIES; i++)
    if (it->entries[i].handle != NO_HANDLE && has_name (&it->entries[i], name)) return &it->entries[i];
  return NULL;
}

static directory_entry *find_free (open_directory *it) {
  for (int i = 0; i < DIRECTORY_ENTRIES; i++)
    if (it->entries[i].handle == NO_HANDLE) return &it->entries[i];
  return NULL;
}

static void fill (directory_entry *entry, const char *name, int handle) {
  entry->handle = handle;
  entry->name_length = length_of (name);
  for (int i = 0; i < entry->name_length; i++) entry->name[i] = name[i];
}

void directory_make_root (void) {
  open_directory root;
  daisy_error error = file_creat (&root.handle);
  assert (!error && root.handle == ROOT_DIRECTORY);
  for (int i = 0; i < DIRECTORY_ENTRIES; i++) {
    fill (&root.entries[i], "", NO_HANDLE);
    for (int j = 0; j < DAISY_NAME; j++) root.entries[i].name[j] = 0;
  }
  write_entries (&root);
}

// What to answer if there is no free entry for a new file.
static daisy_error without_entry (int handle) {
#ifdef FIX_FULL
  daisy_error error = file_unlink (handle);
  assert (!error);
  return DAISY_NOSPC;
#else
  (void) handle;
  return DAISY_OK;
#endif
}

static daisy_error creat_in (open_directory *it, const char *name, int *handle) {
  if (find (it, name)) return DAISY_EXIST;
  daisy_error error = file_creat (handle);
  if (error) return error;
  directory_entry *entry = find_free (it);
  if (!entry) return without_entry (*handle);
  fill (entry, name, *handle);
  return DAISY_OK;
}

daisy_error directory_creat (int directory, const char *name, int *handle) {
  if (length_of (name) > DAISY_NAME) return DAISY_FBIG;
  open_directory it;
  lock_open (&it, directory);
  daisy_error error = creat_in (&it, name, handle);
  close_unlock (&it);
  return error;
}

static daisy_error handle_of (open_directory *it, const char *name, int *handle) {
  directory_entry *entry = find (it, name);
  if (!entry) return DAISY_NOENT;
  *handle = entry->handle;
  return DAISY_OK;
}

daisy_error directory_lookup (int directory, const char *name, int *handle) {
  open_directory it;
  lock_open (&it, directory);
  daisy_error error = handle_of (&it, name, handle);
  close_unlock (&it);
  return error;
}

daisy_error directory_unlink (int directory, const char *name) {
  open_directory it;
  int handle;
  lock_open (&it, directory);
  directory_entry *entry = find (&it, name);
  if (entry) {
    handle = entry->handle;
    entry->handle = NO_HANDLE;
  }
  close_unlock (&it);
  return entry ? file_unlink (handle) : DAISY_NOENT;
}

void directory_read_all (int directory, directory_entry *entries, int *num_entries) {
  open_directory it;
  lock_open (&it, directory);
  *num_entries = 0;
  for (int i = 0; i < DIRECTORY_ENTRIES; i++)
    if (it.entries[i].handle != NO_HANDLE) entries[(*num_entries)++] = it.entries[i];
  close_unlock (&it);
}

// From hold to let_go the handle of a name stays good, or should.
static daisy_error hold (open_directory *it, int directory, const char *name, int *handle) {
#ifdef FIX_LOOKUP
  lock_open (it, directory);
  return handle_of (it, name, handle);
#else
  (void) it;
  return directory_lookup (directory, name, handle);
#endif
}

static void let_go (const open_directory *it) {
#ifdef FIX_LOOKUP
  close_unlock (it);
#else
  (void) it;
#endif
}

daisy_error directory_read (int directory, const char *name, int offset, int size, unsigned char *bytes,
                            int *num_read) {
  open_directory it;
  int handle;
  daisy_error error = hold (&it, directory, name, &handle);
  if (!error) error = file_read (handle, offset, size, bytes, num_read);
  let_go (&it);
  return error;
}

daisy_error directory_write (int directory, const char *name, int offset, int size, const unsigned char *bytes) {
  open_directory it;
  int handle;
  daisy_error error = hold (&it, directory, name, &handle);
  if (!error) error = file_write (handle, offset, size, bytes);
  let_go (&it);
  return error;
}
