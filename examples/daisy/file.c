// Operations on inodes.  Most have the same shape: get the inode, which locks it, do something, put it back, which
// unlocks it.
//
// Bug 4: unlink does not test whether the inode is in use.  A second unlink, with a handle obtained before the first,
// frees a block that is free already or belongs to another file.  FIX_UNLINK looks.
#include "file.h"
#include "layout.h"
#include "locks.h"

static void inode_get (int number, inode *it) {
  lock_acquire (LOCK_INODE + number);
  inode_read (number, it);
}

static void inode_put (int number) { lock_release (LOCK_INODE + number); }

// Finds an unused inode and leaves it locked.
static daisy_error inode_alloc (int *number) {
  for (*number = 0; *number < DAISY_INODES; ++*number) {
    inode it;
    inode_get (*number, &it);
    if (!it.used) return DAISY_OK;
    inode_put (*number);
  }
  return DAISY_NOSPC;
}

daisy_error file_creat (int *handle) {
  daisy_error error = inode_alloc (handle);
  if (error) return error;
  inode it = {.size = 0, .used = true};
  error = block_alloc (&it.block);
  if (!error) inode_write (*handle, &it);
  inode_put (*handle);
  return error;
}

static bool may_unlink (const inode *it) {
#ifdef FIX_UNLINK
  return it->used;
#else
  (void) it;
  return true;
#endif
}

daisy_error file_unlink (int handle) {
  daisy_error error = DAISY_BADHANDLE;
  inode it;
  inode_get (handle, &it);
  if (may_unlink (&it)) {
    it.used = false;
    inode_write (handle, &it);
    block_free (it.block);
    error = DAISY_OK;
  }
  inode_put (handle);
  return error;
}

static int read_block (const inode *it, int offset, int size, unsigned char *bytes) {
  int num_read = 0;
  lock_acquire (LOCK_BLOCK + it->block);
  for (; num_read < size && offset + num_read < it->size; num_read++)
    bytes[num_read] = block_read (it->block, offset + num_read);
  lock_release (LOCK_BLOCK + it->block);
  return num_read;
}

daisy_error file_read (int handle, int offset, int size, unsigned char *bytes, int *num_read) {
  inode it;
  inode_get (handle, &it);
  if (it.used) *num_read = read_block (&it, offset, size, bytes);
  inode_put (handle);
  return it.used ? DAISY_OK : DAISY_BADHANDLE;
}

static void write_block (const inode *it, int offset, int size, const unsigned char *bytes) {
  lock_acquire (LOCK_BLOCK + it->block);
  for (int i = 0; i < size; i++) block_write (it->block, offset + i, bytes[i]);
  lock_release (LOCK_BLOCK + it->block);
}

static void write_block_and_size (int handle, inode *it, int offset, int size, const unsigned char *bytes) {
  write_block (it, offset, size, bytes);
  if (it->size >= offset + size) return;
  it->size = offset + size;
  inode_write (handle, it);
}

daisy_error file_write (int handle, int offset, int size, const unsigned char *bytes) {
  if (offset + size > DAISY_BLOCK_SIZE) return DAISY_FBIG;
  inode it;
  inode_get (handle, &it);
  if (it.used) write_block_and_size (handle, &it, offset, size, bytes);
  inode_put (handle);
  return it.used ? DAISY_OK : DAISY_BADHANDLE;
}

daisy_error file_get_attributes (int handle, file_attributes *attributes) {
  inode it;
  inode_get (handle, &it);
  attributes->size = it.size;
  inode_put (handle);
  return it.used ? DAISY_OK : DAISY_BADHANDLE;
}

daisy_error file_set_attributes (int handle, file_attributes attributes) {
  if (attributes.size > DAISY_BLOCK_SIZE) return DAISY_FBIG;
  inode it;
  inode_get (handle, &it);
  it.size = attributes.size;
  if (it.used) inode_write (handle, &it);
  inode_put (handle);
  return it.used ? DAISY_OK : DAISY_BADHANDLE;
}
