// Files with names, in directories.  A directory is a file whose contents are entries; its handle is that of the file.
#ifndef DAISY_DIRECTORY_H
#define DAISY_DIRECTORY_H

#include "daisy.h"

enum {
  ENTRY_SIZE = 2 + DAISY_NAME,  // inode, length of the name, name
  DIRECTORY_ENTRIES = DAISY_BLOCK_SIZE / ENTRY_SIZE,
  ROOT_DIRECTORY = 0,  // handle
};

typedef struct directory_entry {
  int handle;  // NO_HANDLE if the entry is free
  int name_length;
  char name[DAISY_NAME];
} directory_entry;

enum { NO_HANDLE = 255 };

// Makes the root directory, without entries, on an empty disk.
void directory_make_root (void);

daisy_error directory_creat (int directory, const char *name, int *handle);
daisy_error directory_lookup (int directory, const char *name, int *handle);
daisy_error directory_unlink (int directory, const char *name);

// Copies the entries in use, [0..*num_entries[, to a place for DIRECTORY_ENTRIES.
void directory_read_all (int directory, directory_entry *entries, int *num_entries);

// The operations on files, by name.
daisy_error directory_read (int directory, const char *name, int offset, int size, unsigned char *bytes, int *num_read);
daisy_error directory_write (int directory, const char *name, int offset, int size, const unsigned char *bytes);

#endif
