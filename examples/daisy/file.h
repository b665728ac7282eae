// Files without names.  A handle is the number of the file's inode; a file has one block.
#ifndef DAISY_FILE_H
#define DAISY_FILE_H

#include "daisy.h"

typedef struct file_attributes {
  int size;
} file_attributes;

// Makes an empty file.
daisy_error file_creat (int *handle);

// Gives inode and block back.
daisy_error file_unlink (int handle);

// Reads up to `size` bytes from `offset` on, and says how many there were.
daisy_error file_read (int handle, int offset, int size, unsigned char *bytes, int *num_read);

// Writes all the bytes, or none with DAISY_FBIG; the file grows if necessary.
daisy_error file_write (int handle, int offset, int size, const unsigned char *bytes);

daisy_error file_get_attributes (int handle, file_attributes *);

// Cuts the file or makes it longer.
daisy_error file_set_attributes (int handle, file_attributes);

#endif
